/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.exit.RefusedCommandException;
import io.hbaseindex.cli.input.ColumnText;
import io.hbaseindex.cli.input.ConditionParser;
import io.hbaseindex.cli.input.TypedColumns;
import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.ProgressView;
import io.hbaseindex.cli.output.ServerText;
import io.hbaseindex.client.admin.CreateOptions;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.doctor.Diagnosis;
import io.hbaseindex.client.admin.doctor.ServerHealth;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexCondition;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates an index on a table, which may hold data, and waits until it is built. */
@Command(
    name = "create",
    description = "Create an index. Repeating the command is harmless and goes on waiting.")
@InterfaceAudience.Private
public final class CreateCommand extends ClusterCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Parameters(index = "1", paramLabel = "INDEX", description = "The name of the new index.")
  private String index;

  @Option(
      names = {"-c", "--column"},
      required = true,
      split = ",",
      paramLabel = "FAMILY:QUALIFIER",
      description = "Column to index; several, in order, for an index of several columns.")
  private List<String> columns;

  @Option(
      names = "--route",
      paramLabel = "COLUMN+COLUMN",
      description =
          "Further set of the columns, the first among them, that queries which fix just these are sent by. Leading columns need none. May be repeated, also for an index that is there.")
  private List<String> routes = List.of();

  @Option(
      names = "--no-ranges",
      description =
          "Queries for a range of values visit all regions; writes and masters are spared what it takes to skip some.")
  private boolean noRanges;

  @Option(
      names = {"-i", "--include"},
      split = ",",
      paramLabel = "FAMILY:QUALIFIER",
      description =
          "Column to keep in the index beside the indexed ones, so that queries which read no others need no rows. May be repeated. For an index that is there: in place of those it includes; it is built anew.")
  private List<String> included = List.of();

  @Option(
      names = "--times",
      description =
          "Keep in the index when its columns were written, so that query --count --by needs no rows. An index that includes columns does so anyway. An index that is there is built anew.")
  private boolean times;

  @Option(
      names = {"-t", "--type"},
      split = ",",
      paramLabel = "FAMILY:QUALIFIER=TYPE",
      description =
          "What a column of the index holds, such as long, double, decimal, ordered-long. Its values then sort, compare and show as what they are. May be repeated. For an index that is there: another type builds it anew.")
  private List<String> types = List.of();

  @Option(
      names = {"-w", "--where"},
      paramLabel = "CONDITION",
      description =
          "Only rows that meet this are in the index, and only queries that ask for no others use it. Comparisons of single columns (= in < <= > >= between ^= is not null), joined by \"and\". For an index that is there: another condition builds it anew.")
  private String where;

  @Option(
      names = "--lazy",
      description =
          "Writes read nothing; stale postings are cleaned up later. For append-mostly tables.")
  private boolean lazy;

  @Option(
      names = "--publish",
      negatable = true,
      description =
          "Whether regions tell the master which values they hold, so that clients can leave regions out. Default: as the table or servers say.")
  private Boolean publish;

  @Option(
      names = "--no-check",
      description = "Do not look first whether all servers have what the index needs.")
  private boolean unchecked;

  @Mixin private WaitOptions wait;

  private IndexDefinition definition;

  @Override
  void validate() {
    wait.validate();
    try {
      List<ColumnRef> refs = new ArrayList<>(columns.stream().map(ColumnText::parse).toList());
      Map<ColumnRef, ValueType> typed = TypedColumns.parseTypes(types);
      requireColumns(typed.keySet(), refs);
      IndexDefinition.Builder builder =
          IndexDefinition.on(refs.get(0).family(), refs.get(0).qualifier());
      for (ColumnRef ref : refs) {
        if (ref != refs.get(0)) {
          builder.and(ref.family(), ref.qualifier());
        }
        builder.as(typed.getOrDefault(ref, ValueType.BYTES));
      }
      builder.named(index);
      for (String route : routes) {
        builder.routes(Arrays.stream(route.split("\\+")).map(ColumnText::parse).toList());
      }
      builder.including(included.stream().map(ColumnText::parse).toList());
      if (times) {
        builder.withTimes();
      }
      if (where != null) {
        builder.where(condition(typed));
      }
      if (noRanges) {
        builder.noRanges();
      }
      definition = lazy ? builder.lazy() : builder.eager();
    } catch (DefinitionException e) {
      throw usage(e.getMessage());
    } catch (IllegalArgumentException e) {
      throw usage("--column, --type, --include, --where or --route: " + e.getMessage());
    }
  }

  /** Values are read by the types that the index itself gives its columns. */
  private IndexCondition condition(Map<ColumnRef, ValueType> typed) {
    ConditionParser.Parsed parsed =
        ConditionParser.parse(where, column -> typed.getOrDefault(column, ValueType.BYTES));
    if (!parsed.rows().areAll() || parsed.order().isPresent() || parsed.limit().isPresent()) {
      throw new IllegalArgumentException(
          "--where has keys of rows, an order or a limit; give conditions on columns only");
    }
    return parsed.condition().forIndex();
  }

  private static void requireColumns(Set<ColumnRef> typed, List<ColumnRef> columns) {
    for (ColumnRef column : typed) {
      if (!columns.contains(column)) {
        throw new IllegalArgumentException(
            "%s has a type and is no column of the index, which are %s".formatted(column, columns));
      }
    }
  }

  @Override
  int run(Connection connection) throws Exception {
    TableName name = table(table);
    IndexAdmin admin = IndexAdmin.of(connection);
    if (!unchecked) {
      checkServers(admin, name);
    }
    boolean present = admin.list(name).stream().anyMatch(other -> other.name().equals(index));
    boolean changed;
    try (ProgressView view = progress()) {
      CreateOptions options = CreateOptions.defaults().telling(view);
      changed =
          admin.create(
              name, List.of(definition), publish == null ? options : options.publishing(publish));
    }
    CommandAnswer answer =
        new CommandAnswer()
            .line(
                changed && present
                    ? "Index %s on table %s was there, and has changed.".formatted(index, name)
                    : changed
                        ? "Created index %s on table %s.".formatted(index, name)
                        : "Table %s has index %s already; nothing was changed."
                            .formatted(name, index));
    answer.json().addProperty("table", name.getNameAsString());
    answer.json().addProperty("index", index);
    answer.json().addProperty("created", changed && !present);
    answer.json().addProperty("changed", changed);
    wait.await(admin, name, answer, this);
    print(answer);
    return ExitCode.OK;
  }

  /** A region with an index ends every server without the jar that it is opened by. */
  private void checkServers(IndexAdmin admin, TableName name) throws IOException {
    Diagnosis diagnosis = admin.diagnose();
    if (!diagnosis.withoutJar().isEmpty()) {
      ServerHealth first = diagnosis.withoutJar().get(0);
      throw new RefusedCommandException(
          "Cannot create index %s on table %s: %d of the servers cannot open its regions; %s %s; look at all by: doctor"
              .formatted(
                  index,
                  name,
                  diagnosis.withoutJar().size(),
                  ServerText.of(first.server()),
                  first.fault().orElse("")));
    }
    for (ServerHealth server : diagnosis.servers()) {
      server.fault().ifPresent(fault -> note(ServerText.of(server.server()) + " " + fault));
    }
  }
}
