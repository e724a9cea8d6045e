/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import io.hbaseindex.core.definition.IndexSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;

/**
 * Something to ask the table, in words and as an ordinary scan.
 *
 * @param words as a person would ask
 * @param conditions column and value, all of which must hold
 */
record Question(String words, Map<String, String> conditions) {

  Question {
    conditions = new LinkedHashMap<>(conditions);
  }

  static Question about(String words, String column, String value) {
    return new Question(words, Map.of(column, value));
  }

  /** As an application asks it: nothing in it knows of indexes. */
  Scan scan() {
    List<Filter> filters =
        conditions.entrySet().stream().map(e -> equal(e.getKey(), e.getValue())).toList();
    return new Scan().setFilter(filters.size() == 1 ? filters.get(0) : new FilterList(filters));
  }

  /** The same scan as HBase runs it without an index. */
  Scan plainScan() {
    return scan().setAttribute(IndexSettings.SCAN_USE_INDEX, Person.bytes("false"));
  }

  private static Filter equal(String column, String value) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            Person.FAMILY, Person.bytes(column), CompareOperator.EQUAL, Person.bytes(value));
    filter.setFilterIfMissing(true);
    return filter;
  }
}
