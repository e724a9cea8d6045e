/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.cli.exit.OutputLostException;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;
import org.junit.jupiter.api.Test;

class RowPrinterTest {
  private final StringWriter written = new StringWriter();
  private final PrintWriter out = new PrintWriter(written);

  private static final RowStyle PLAIN = new RowStyle(Map.of(), column -> ValueType.BYTES, false);

  private static ShownRow.Column column(String name, String value) {
    return new ShownRow.Column(name, new JsonPrimitive(value), 7);
  }

  private static ShownRow row(String key, String value) {
    return new ShownRow(key, List.of(column("f:a", value)), false);
  }

  @Test
  void table_ofFewRows_isAsWideAsTheyNeed() throws IOException {
    RowPrinter printer = RowPrinter.text(out, PLAIN);
    printer.print(row("r1", "x"));
    printer.print(new ShownRow("longer", List.of(), false));
    printer.end(false);

    assertThat(written)
        .hasToString(
            """
            ROW     COLUMN  VALUE
            r1      f:a     x
            longer
            2 rows
            """);
  }

  @Test
  void table_ofNothing_saysSo() throws IOException {
    RowPrinter.text(out, PLAIN).end(false);

    assertThat(written).hasToString("0 rows\n");
  }

  @Test
  void table_ofManyRows_isPrintedBeforeTheLastHasCome() throws IOException {
    RowPrinter printer = RowPrinter.text(out, PLAIN);
    for (int i = 0; i < RowPrinter.Text.MEASURED_LINES; i++) {
      printer.print(row("r", "x"));
    }
    assertThat(written.toString().lines()).hasSize(1 + RowPrinter.Text.MEASURED_LINES);

    printer.print(row("longer", "y"));
    printer.print(row("r", "y"));
    printer.end(false);

    assertThat(written.toString()).endsWith("\nlonger  f:a     y\nr    f:a     y\n102 rows\n");
  }

  @Test
  void table_ofWideValues_isPrintedBeforeManyAreHeld() throws IOException {
    RowPrinter printer = RowPrinter.text(out, PLAIN);
    String wide = "x".repeat(RowPrinter.Text.MEASURED_CHARACTERS / 2);

    printer.print(row("r1", wide));
    assertThat(written.toString()).isEmpty();
    printer.print(row("r2", wide));

    assertThat(written.toString().lines()).hasSize(3);
  }

  @Test
  void table_ofOneRowWithManyWideValues_isPrintedBeforeItsEnd() throws IOException {
    RowPrinter printer = RowPrinter.text(out, PLAIN);
    String wide = "x".repeat(RowPrinter.Text.MEASURED_CHARACTERS);

    printer.print(
        new ShownRow(
            "r", List.of(column("f:a", wide), column("f:longer", "y"), column("f:z", "z")), false));
    printer.end(false);

    assertThat(written.toString())
        .as("as wide as the first column needs")
        .endsWith("\nr    f:longer  y\nr    f:z     z\n1 row\n");
  }

  @Test
  void outputThatIsGone_endsTheRows() throws IOException {
    PrintWriter gone = new PrintWriter(Writer.nullWriter());
    RowPrinter[] printers = {RowPrinter.text(gone, PLAIN), RowPrinter.json(gone)};
    gone.close();

    for (RowPrinter printer : printers) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < RowPrinter.Checked.ROWS_BETWEEN; i++) {
                  printer.print(row("r", "x"));
                }
              })
          .isInstanceOf(OutputLostException.class);
    }
  }

  @Test
  void json_isWhatAnAnswerWouldBe() throws IOException {
    RowPrinter printer = RowPrinter.json(out);
    printer.print(row("r<1>", "x"));
    printer.print(new ShownRow("r2", List.of(), false));
    printer.end(false);

    CommandAnswer answer = new CommandAnswer();
    JsonArray rows = new JsonArray();
    rows.add(row("r<1>", "x").json());
    rows.add(new ShownRow("r2", List.of(), false).json());
    answer.json().add("rows", rows);
    answer.json().addProperty("more", false);
    assertThat(written).hasToString(answer.toJson() + "\n");
  }

  @Test
  void json_ofNothing_isAnEmptyList() throws IOException {
    RowPrinter.json(out).end(false);

    CommandAnswer answer = new CommandAnswer();
    answer.json().add("rows", new JsonArray());
    answer.json().addProperty("more", false);
    assertThat(written).hasToString(answer.toJson() + "\n");
  }

  @Test
  void moreRowsThanPrinted_areTold() throws IOException {
    RowPrinter text = RowPrinter.text(out, PLAIN);
    text.print(row("r1", "x"));
    text.end(true);
    assertThat(written.toString()).endsWith("1 row, and more\n");

    written.getBuffer().setLength(0);
    RowPrinter json = RowPrinter.json(out);
    json.print(row("r1", "x"));
    json.end(true);
    assertThat(JsonParser.parseString(written.toString()).getAsJsonObject().get("more"))
        .isEqualTo(new JsonPrimitive(true));
  }

  @Test
  void timestamps_haveAColumnOfTheirOwn() throws IOException {
    RowPrinter printer =
        RowPrinter.text(out, new RowStyle(Map.of(), column -> ValueType.BYTES, true));
    printer.print(new ShownRow("r1", List.of(column("f:a", "x")), true));
    printer.end(false);

    assertThat(written)
        .hasToString(
            """
            ROW  COLUMN  TIMESTAMP  VALUE
            r1   f:a             7  x
            1 row
            """);
  }
}
