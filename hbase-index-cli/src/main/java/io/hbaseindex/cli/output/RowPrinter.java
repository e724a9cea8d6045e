/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import io.hbaseindex.cli.exit.OutputLostException;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;
import org.apache.yetus.audience.InterfaceAudience;

/** Prints rows as they come, so that there may be more of them than fit into memory. */
@InterfaceAudience.Private
public interface RowPrinter {
  /**
   * Prints a row, now or together with some that follow.
   *
   * @throws OutputLostException if what is printed goes nowhere
   */
  void print(ShownRow row) throws IOException;

  /**
   * Prints what comes after the last row.
   *
   * @param more whether there are rows that were not printed
   */
  void end(boolean more) throws IOException;

  static RowPrinter text(PrintWriter out, RowStyle style) {
    return new Checked(new Text(out, style), out);
  }

  static RowPrinter json(PrintWriter out) throws IOException {
    return new Checked(new Json(out), out);
  }

  /** Looks now and then whether the output still takes rows, so that no others are read in vain. */
  final class Checked implements RowPrinter {
    /** Looking empties the buffers, which is too much for every row. */
    static final int ROWS_BETWEEN = 100;

    private final RowPrinter printer;
    private final PrintWriter out;
    private long rows;

    private Checked(RowPrinter printer, PrintWriter out) {
      this.printer = printer;
      this.out = out;
    }

    @Override
    public void print(ShownRow row) throws IOException {
      printer.print(row);
      if (++rows % ROWS_BETWEEN == 0 && out.checkError()) {
        throw new OutputLostException();
      }
    }

    @Override
    public void end(boolean more) throws IOException {
      printer.end(more);
    }
  }

  /** A table, whose columns are as wide as the first lines need. */
  final class Text implements RowPrinter {
    /** Few enough to be seen soon, many enough to tell how wide the others will be. */
    static final int MEASURED_LINES = 100;

    /** Values may be of any width, and what is measured is held in memory. */
    static final int MEASURED_CHARACTERS = 64 * 1024;

    private final PrintWriter out;
    private final TextTable measured;
    private long characters;
    private TextTable.Layout layout;
    private long rows;

    private Text(PrintWriter out, RowStyle style) {
      this.out = out;
      this.measured = style.table();
    }

    @Override
    public void print(ShownRow row) {
      rows++;
      for (Object[] line : row.lines()) {
        if (layout != null) {
          out.print(layout.line(line) + "\n");
        } else {
          measure(line);
        }
      }
    }

    private void measure(Object[] line) {
      measured.row(line);
      for (Object cell : line) {
        characters += cell.toString().length();
      }
      if (measured.rows() >= MEASURED_LINES || characters >= MEASURED_CHARACTERS) {
        printMeasured();
      }
    }

    private void printMeasured() {
      layout = measured.layout();
      out.print(measured + "\n");
      out.flush();
    }

    @Override
    public void end(boolean more) {
      if (layout == null && rows > 0) {
        printMeasured();
      }
      out.print((rows == 1 ? "1 row" : rows + " rows") + (more ? ", and more" : "") + "\n");
      out.flush();
    }
  }

  /** One object, with the rows and whether there are more of them. */
  final class Json implements RowPrinter {
    private static final Gson GSON = CommandAnswer.gson();

    private final PrintWriter out;
    private final JsonWriter writer;

    private boolean begun;

    private Json(PrintWriter out) throws IOException {
      this.out = out;
      this.writer = GSON.newJsonWriter(out);
    }

    /** Not before there is something to print: a query that fails at once prints no JSON. */
    private void begin() throws IOException {
      if (!begun) {
        begun = true;
        writer.beginObject().name("rows").beginArray();
      }
    }

    @Override
    public void print(ShownRow row) throws IOException {
      begin();
      GSON.toJson(row.json(), writer);
    }

    @Override
    public void end(boolean more) throws IOException {
      begin();
      writer.endArray().name("more").value(more).endObject();
      out.print("\n");
      out.flush();
    }
  }
}
