/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.output.CommandAnswer;
import io.hbaseindex.cli.output.ProgressView;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.TableStates;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whether and how long to wait for indexes to be built. */
@InterfaceAudience.Private
public final class WaitOptions {
  private static final int MAX_WAIT_MINUTES = 525_600;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--no-wait", description = "Return at once; the regions build in the background.")
  private boolean noWait;

  @Option(
      names = "--wait-minutes",
      paramLabel = "MINUTES",
      defaultValue = "720",
      description = "How long to wait for indexes to be built. Default: ${DEFAULT-VALUE}.")
  private int waitMinutes;

  /** Looks at the options before anything is done that would then be waited for. */
  void validate() {
    if (waitMinutes < 0 || waitMinutes > MAX_WAIT_MINUTES) {
      throw new ParameterException(
          spec.commandLine(),
          "--wait-minutes was %d; give 0 to %d, which is a year"
              .formatted(waitMinutes, MAX_WAIT_MINUTES));
    }
  }

  /** Waits if that is wanted, and adds the outcome to the answer. */
  void await(IndexAdmin admin, TableName table, CommandAnswer answer, ClusterCommand command)
      throws IOException, InterruptedException {
    if (noWait) {
      answer.json().addProperty("waited", false);
      return;
    }
    TableStates states;
    try (ProgressView view = command.progress()) {
      states = admin.awaitReady(table, Duration.ofMinutes(waitMinutes), view);
    }
    answer.json().addProperty("waited", true);
    answer.json().addProperty("ready", true);
    int regions = states.regions().size();
    answer.line(
        "All indexes of table %s are ready in its %s."
            .formatted(table, regions == 1 ? "only region" : regions + " regions"));
  }
}
