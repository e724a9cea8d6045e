/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.CountText;
import io.hbaseindex.cli.output.ProgressView;
import io.hbaseindex.cli.output.ServerText;
import io.hbaseindex.cli.output.TextTable;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.IndexCatalog;
import io.hbaseindex.client.admin.status.IndexStatus;
import io.hbaseindex.client.admin.status.PostingSize;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.admin.status.RegionState;
import io.hbaseindex.client.admin.status.RegionStatus;
import io.hbaseindex.client.admin.status.TableStates;
import io.hbaseindex.core.definition.IndexDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows how indexes are doing. */
@Command(
    name = "status",
    description =
        "Show how the indexes of one table, or of all, are doing; ends with 1 if one is not ready.")
@InterfaceAudience.Private
public final class StatusCommand extends ClusterCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description = "The table, region by region. Default: a line for each indexed table.")
  private String table;

  @Option(names = "--wait", description = "Wait until all indexes of the table are built.")
  private boolean wait;

  @Override
  void validate() {
    if (wait && table == null) {
      throw usage("--wait needs a table to wait for; name it");
    }
  }

  @Override
  int run(Connection connection) throws Exception {
    IndexAdmin admin = IndexAdmin.of(connection);
    return table == null ? allTables(connection, admin) : oneTable(connection, admin);
  }

  private int allTables(Connection connection, IndexAdmin admin) throws IOException {
    CommandAnswer answer = new CommandAnswer();
    JsonArray tables = new JsonArray();
    TextTable text = new TextTable("TABLE", "INDEXES", "REGIONS", "READY", "PRECISE", "REMARK");
    IndexCatalog catalog = admin.listAll();
    boolean ready = catalog.unreadable().isEmpty();
    for (TableName name : catalog.indexes().keySet()) {
      TableStates states = admin.states(name);
      Optional<MasterSight> master = MasterSight.of(connection, name);
      int regions = states.regions().size();
      int readyRegions = readyRegions(states);
      ready &= states.isReady();
      String precise = master.map(sight -> sight.precise() + "").orElse("?");
      JsonObject object = new JsonObject();
      object.addProperty("table", name.getNameAsString());
      object.addProperty("indexes", states.indexes().size());
      object.addProperty("regions", regions);
      object.addProperty("readyRegions", readyRegions);
      master.ifPresent(sight -> object.addProperty("preciseRegions", sight.precise()));
      object.addProperty("ready", states.isReady());
      tables.add(object);
      text.row(
          name,
          states.indexes().size(),
          regions,
          readyRegions,
          precise,
          states.reasons().stream().findFirst().orElse(""));
    }
    answer.json().addProperty("ready", ready);
    answer.json().add("tables", tables);
    if (!tables.isEmpty()) {
      answer.table(text);
    } else if (catalog.unreadable().isEmpty()) {
      answer.line("No table has an index.");
    }
    ListCommand.describe(catalog.unreadable(), answer);
    print(answer);
    return ready ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private static int readyRegions(TableStates states) {
    return (int)
        states.regions().stream()
            .filter(
                region ->
                    new TableStates(states.table(), states.indexes(), List.of(region)).isReady())
            .count();
  }

  private int oneTable(Connection connection, IndexAdmin admin)
      throws IOException, InterruptedException {
    TableName name = table(table);
    TableStates states = admin.states(name);
    CommandAnswer answer = new CommandAnswer();
    answer.json().addProperty("table", name.getNameAsString());
    answer.json().addProperty("indexed", !states.indexes().isEmpty());
    if (states.indexes().isEmpty()) {
      answer.json().addProperty("ready", true);
      print(answer.line("Table %s has no index; scans read all of it.".formatted(name)));
      return ExitCode.OK;
    }
    if (wait) {
      try (ProgressView view = progress()) {
        states = admin.awaitReady(name, Duration.ofDays(1), view);
      }
    }
    Optional<MasterSight> master = MasterSight.of(connection, name);
    describe(states, master, answer);
    print(answer);
    return states.isReady() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private static void describe(
      TableStates states, Optional<MasterSight> master, CommandAnswer answer) {
    JsonArray regions = new JsonArray();
    TextTable text =
        new TextTable("REGION", "START KEY", "SERVER", "INDEX", "STATE", "AT MASTER", "REASON");
    for (RegionState region : states.regions()) {
      String atMaster = master.map(sight -> sight.of(region.encodedName())).orElse("?");
      regions.add(json(region, atMaster));
      for (String[] line : lines(region)) {
        text.row(
            region.encodedName(),
            "\"" + Bytes.toStringBinary(region.startKey()) + "\"",
            region.server().map(ServerText::of).orElse("none"),
            line[0],
            line[1],
            atMaster + progress(region),
            line[2]);
      }
    }
    answer.json().addProperty("ready", states.isReady());
    answer.json().add("regions", regions);
    answer.table(text);
    answer.line(
        states.isReady()
            ? "%s ready in %s."
                .formatted(
                    states.indexes().size() == 1
                        ? "The index is"
                        : "All %d indexes are".formatted(states.indexes().size()),
                    states.regions().size() == 1
                        ? "the only region"
                        : "all %,d regions".formatted(states.regions().size()))
            : "Not every index is ready in every region; scans run plainly where it is not.");
    describeProgress(states, answer);
    describeSize(states.postings(), answer);
    describeIncluded(states, answer);
    describeTimes(states, answer);
    describeTypes(states, answer);
    describeConditions(states, answer);
    if (master.isEmpty()) {
      answer.line(
          "The master did not say how it sees the regions: it lacks the index endpoint, or you lack the permission ADMIN.");
    }
  }

  private static void describeProgress(TableStates states, CommandAnswer answer) {
    Progress.Step step = states.progress(Progress.Work.BUILD);
    answer.json().addProperty("regionsDone", step.regionsDone());
    answer.json().addProperty("rowsDone", step.entries());
    answer.json().addProperty("rowsExpected", step.expected());
    if (!states.isReady()) {
      answer.line(
          "Built so far: %d of %s%s."
              .formatted(
                  step.regionsDone(),
                  CountText.of(step.regions(), "region"),
                  step.expected() == 0
                      ? ""
                      : ", %,d of about %s"
                          .formatted(step.entries(), CountText.of(step.expected(), "row"))));
    }
  }

  private static void describeSize(PostingSize size, CommandAnswer answer) {
    if (size.cells() > 0) {
      answer.line(
          "Postings take %,d bytes in store files (%s), %,.0f for each of %s; %,.0f of these are values, with included columns."
              .formatted(
                  size.bytes(),
                  CountText.of(size.cells(), "cell"),
                  size.bytesPerRow(),
                  CountText.of(size.rows(), "row"),
                  size.valueBytesPerRow()));
    }
    answer.json().add("postings", json(size));
  }

  private static JsonObject json(PostingSize size) {
    JsonObject json = new JsonObject();
    json.addProperty("bytes", size.bytes());
    json.addProperty("cells", size.cells());
    json.addProperty("keyBytes", size.keyBytes());
    json.addProperty("valueBytes", size.valueBytes());
    json.addProperty("rows", size.rows());
    json.addProperty("bytesPerRow", size.bytesPerRow());
    json.addProperty("valueBytesPerRow", size.valueBytesPerRow());
    return json;
  }

  private static void describeIncluded(TableStates states, CommandAnswer answer) {
    JsonObject included = new JsonObject();
    for (IndexDefinition index : states.indexes()) {
      if (!index.included().isEmpty()) {
        String columns = ListCommand.included(index);
        answer.line("Index %s includes %s.".formatted(index.name(), columns));
        included.addProperty(index.name(), columns);
      }
    }
    answer.json().add("includes", included);
  }

  private static void describeTimes(TableStates states, CommandAnswer answer) {
    JsonArray kept = new JsonArray();
    for (IndexDefinition index : states.indexes()) {
      if (index.hasTimes()) {
        answer.line("Index %s keeps the times of its columns.".formatted(index.name()));
        kept.add(index.name());
      }
    }
    answer.json().add("times", kept);
  }

  private static void describeTypes(TableStates states, CommandAnswer answer) {
    JsonObject types = new JsonObject();
    for (IndexDefinition index : states.indexes()) {
      if (index.hasTypes()) {
        answer.line(
            "Index %s has columns of type %s.".formatted(index.name(), ListCommand.types(index)));
        types.addProperty(index.name(), ListCommand.types(index));
      }
    }
    answer.json().add("types", types);
  }

  private static void describeConditions(TableStates states, CommandAnswer answer) {
    JsonObject conditions = new JsonObject();
    for (IndexDefinition index : states.indexes()) {
      if (index.isPartial()) {
        answer.line("Index %s has only rows with %s.".formatted(index.name(), index.condition()));
        conditions.addProperty(index.name(), index.condition().toString());
      }
    }
    answer.json().add("where", conditions);
  }

  private static String progress(RegionState region) {
    OptionalInt percent = filterPercent(region);
    return percent.isPresent() ? ", filter rebuild %d %%".formatted(percent.getAsInt()) : "";
  }

  private static OptionalInt filterPercent(RegionState region) {
    return region.status().map(RegionStatus::filterPercent).orElse(OptionalInt.empty());
  }

  /** Index, state and reason. */
  private static List<String[]> lines(RegionState region) {
    List<String[]> lines = new ArrayList<>();
    region.problem().ifPresent(problem -> lines.add(new String[] {"", "silent", problem}));
    region
        .status()
        .flatMap(RegionStatus::unindexed)
        .ifPresent(why -> lines.add(new String[] {"", "unindexed", why}));
    for (IndexStatus index : region.status().map(RegionStatus::indexes).orElse(List.of())) {
      lines.add(new String[] {index.name(), state(index), index.reason()});
    }
    if (lines.isEmpty()) {
      lines.add(new String[] {"", "opening", "it has not heard of the indexes yet"});
    }
    return lines;
  }

  private static JsonObject json(RegionState region, String atMaster) {
    JsonObject object = new JsonObject();
    object.addProperty("region", region.encodedName());
    object.addProperty("startKey", Bytes.toStringBinary(region.startKey()));
    object.addProperty("endKey", Bytes.toStringBinary(region.endKey()));
    object.addProperty("server", region.server().orElse(null));
    object.addProperty("atMaster", atMaster);
    filterPercent(region).ifPresent(percent -> object.addProperty("filterPercent", percent));
    object.addProperty("problem", region.problem().orElse(null));
    JsonArray indexes = new JsonArray();
    JsonObject counters = new JsonObject();
    region
        .status()
        .ifPresent(
            status -> {
              object.addProperty("unindexed", status.unindexed().orElse(null));
              status.postings().ifPresent(size -> object.add("postings", json(size)));
              status.counters().forEach(counters::addProperty);
              for (IndexStatus index : status.indexes()) {
                JsonObject one = new JsonObject();
                one.addProperty("index", index.name());
                one.addProperty("state", state(index));
                one.addProperty("reason", index.reason());
                one.addProperty("rowsDone", index.rowsDone());
                one.addProperty("rowsExpected", index.rowsExpected());
                indexes.add(one);
              }
            });
    object.add("indexes", indexes);
    object.add("counters", counters);
    return object;
  }

  private static String state(IndexStatus index) {
    return index.phase().name().toLowerCase(Locale.ROOT);
  }
}
