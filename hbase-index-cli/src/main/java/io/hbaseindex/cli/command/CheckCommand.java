/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.exit.RefusedCommandException;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.CountText;
import io.hbaseindex.cli.output.ProgressView;
import io.hbaseindex.cli.output.TextTable;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.client.admin.check.IndexFault;
import io.hbaseindex.client.admin.status.TableStates;
import io.hbaseindex.core.definition.IndexDefinition;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Parameters;

/** Compares rows and postings: what {@code verify} and {@code repair} have in common. */
@InterfaceAudience.Private
public abstract class CheckCommand extends ClusterCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  /** Goes through the table. */
  abstract CheckReport check(IndexAdmin admin, TableName name, ProgressView view)
      throws IOException;

  /** Puts the outcome into a sentence and a code to end with. */
  abstract int conclude(CheckReport report, CommandAnswer answer);

  @Override
  final int run(Connection connection) throws Exception {
    TableName name = table(table);
    IndexAdmin admin = IndexAdmin.of(connection);
    TableStates states = admin.states(name);
    CommandAnswer answer = new CommandAnswer();
    answer.json().addProperty("table", name.getNameAsString());
    answer.json().addProperty("indexed", !states.indexes().isEmpty());
    if (states.indexes().isEmpty()) {
      print(answer.line("Table %s has no index; there is nothing to compare.".formatted(name)));
      return ExitCode.OK;
    }
    if (!states.isSettled()) {
      throw new RefusedCommandException(
          "Cannot compare rows and postings of table %s while indexes are being built: %s; wait with: status %s --wait"
              .formatted(name, states.reasons().get(0), name));
    }
    CheckReport report;
    try (ProgressView view = progress()) {
      report = check(admin, name, view);
    }
    describe(report, states.indexes(), answer);
    int exitCode = conclude(report, answer);
    print(answer);
    return exitCode;
  }

  private static void describe(
      CheckReport report, List<IndexDefinition> indexes, CommandAnswer answer) {
    answer.json().addProperty("rows", report.rows());
    answer.json().addProperty("postings", report.postings());
    answer.json().addProperty("missing", report.missing());
    answer.json().addProperty("dangling", report.dangling());
    answer.json().addProperty("stale", report.stale());
    answer.json().addProperty("overstated", report.overstated());
    answer.json().addProperty("repaired", report.repaired());
    answer.line(
        "%s and %s compared: %s missing, %,d dangling, %,d stale."
            .formatted(
                CountText.of(report.rows(), "row"),
                CountText.of(report.postings(), "posting"),
                CountText.of(report.missing(), "posting"),
                report.dangling(),
                report.stale()));
    if (report.overstated() > 0) {
      answer.line(
          "%s for certain what rows do not show; counts may be wrong."
              .formatted(
                  CountText.of(report.overstated(), "posting")
                      + (report.overstated() == 1 ? " says" : " say")));
    }
    JsonArray faults = new JsonArray();
    TextTable text = new TextTable("FAULT", "INDEX", "ROW");
    for (IndexFault fault : report.examples()) {
      String kind = fault.kind().name().toLowerCase(Locale.ROOT);
      String index =
          indexes.stream()
              .filter(definition -> definition.id() == fault.indexId())
              .map(IndexDefinition::name)
              .findFirst()
              .orElse("id " + fault.indexId());
      String row = Bytes.toStringBinary(fault.row());
      JsonObject object = new JsonObject();
      object.addProperty("fault", kind);
      object.addProperty("index", index);
      object.addProperty("row", row);
      faults.add(object);
      text.row(kind, index, row);
    }
    answer.json().add("examples", faults);
    if (!faults.isEmpty()) {
      answer.table(text);
    }
  }
}
