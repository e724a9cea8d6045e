/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/** What is wanted of the rows that meet all conditions. */
sealed interface Reading extends Serializable {
  /**
   * The rows, in any order.
   *
   * @param limit how many are enough; 0 for all
   */
  record Rows(int limit) implements Reading {
    static final Rows ALL = new Rows(0);

    @Override
    public String toString() {
      return limit == 0 ? "rows" : limit + " rows";
    }
  }

  /**
   * The first rows in the order of a column.
   *
   * @param absentToo whether rows without the column are wanted where too few have it
   */
  record FirstRows(SourceColumn by, boolean descending, boolean absentToo, int limit)
      implements Reading {
    @Override
    public String toString() {
      return "first %d rows by %s%s".formatted(limit, by, descending ? " desc" : "");
    }
  }

  /**
   * One number or value that Spark wants to know of all rows together.
   *
   * @param column null where rows are counted whatever they hold
   */
  record Figure(Kind kind, SourceColumn column) implements Serializable {
    enum Kind {
      COUNT,
      MIN,
      MAX
    }

    /** What one partition answers with. */
    StructField field() {
      return DataTypes.createStructField(
          toString(),
          kind == Kind.COUNT ? DataTypes.LongType : column.dataType(),
          kind != Kind.COUNT);
    }

    @Override
    public String toString() {
      return "%s(%s)".formatted(kind, column == null ? "*" : column.name());
    }
  }

  /** What is true of all rows together. */
  record Figures(List<Figure> figures) implements Reading {
    /** Copies the list. */
    public Figures {
      figures = List.copyOf(figures);
    }

    @Override
    public String toString() {
      return figures.stream().map(Figure::toString).collect(Collectors.joining(", "));
    }
  }
}
