/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.cli.exit.OutputLostException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.junit.jupiter.api.Test;

class RowPrinterTest {
  private final StringWriter written = new StringWriter();
  private final PrintWriter out = new PrintWriter(written);

  private static ShownRow row(String key, String value) {
    return new ShownRow(key, List.of(new ShownRow.Column("f:a", value)));
  }

  @Test
  void table_ofFewRows_isAsWideAsTheyNeed() throws IOException {
    RowPrinter printer = RowPrinter.text(out);
    printer.print(row("r1", "x"));
    printer.print(new ShownRow("longer", List.of()));
    printer.end();

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
    RowPrinter.text(out).end();

    assertThat(written).hasToString("0 rows\n");
  }

  @Test
  void table_ofManyRows_isPrintedBeforeTheLastHasCome() throws IOException {
    RowPrinter printer = RowPrinter.text(out);
    for (int i = 0; i < RowPrinter.Text.MEASURED_LINES; i++) {
      printer.print(row("r", "x"));
    }
    assertThat(written.toString().lines()).hasSize(1 + RowPrinter.Text.MEASURED_LINES);

    printer.print(row("longer", "y"));
    printer.print(row("r", "y"));
    printer.end();

    assertThat(written.toString()).endsWith("\nlonger  f:a     y\nr    f:a     y\n102 rows\n");
  }

  @Test
  void table_ofWideValues_isPrintedBeforeManyAreHeld() throws IOException {
    RowPrinter printer = RowPrinter.text(out);
    String wide = "x".repeat(RowPrinter.Text.MEASURED_CHARACTERS / 2);

    printer.print(row("r1", wide));
    assertThat(written.toString()).isEmpty();
    printer.print(row("r2", wide));

    assertThat(written.toString().lines()).hasSize(3);
  }

  @Test
  void table_ofOneRowWithManyWideValues_isPrintedBeforeItsEnd() throws IOException {
    RowPrinter printer = RowPrinter.text(out);
    String wide = "x".repeat(RowPrinter.Text.MEASURED_CHARACTERS);

    printer.print(
        new ShownRow(
            "r",
            List.of(
                new ShownRow.Column("f:a", wide),
                new ShownRow.Column("f:longer", "y"),
                new ShownRow.Column("f:z", "z"))));
    printer.end();

    assertThat(written.toString())
        .as("as wide as the first column needs")
        .endsWith("\nr    f:longer  y\nr    f:z     z\n1 row\n");
  }

  @Test
  void outputThatIsGone_endsTheRows() throws IOException {
    PrintWriter gone = new PrintWriter(Writer.nullWriter());
    RowPrinter[] printers = {RowPrinter.text(gone), RowPrinter.json(gone)};
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
    printer.print(new ShownRow("r2", List.of()));
    printer.end();

    CommandAnswer answer = new CommandAnswer();
    JsonArray rows = new JsonArray();
    rows.add(row("r<1>", "x").json());
    rows.add(new ShownRow("r2", List.of()).json());
    answer.json().add("rows", rows);
    assertThat(written).hasToString(answer.toJson() + "\n");
  }

  @Test
  void json_ofNothing_isAnEmptyList() throws IOException {
    RowPrinter.json(out).end();

    CommandAnswer answer = new CommandAnswer();
    answer.json().add("rows", new JsonArray());
    assertThat(written).hasToString(answer.toJson() + "\n");
  }
}
