/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench;

import io.hbaseindex.bench.answers.AnswersCommand;
import io.hbaseindex.bench.growth.GrowthCommand;
import io.hbaseindex.bench.jmh.JmhCommand;
import io.hbaseindex.bench.phoenix.PhoenixCommand;
import io.hbaseindex.bench.routing.RangesCommand;
import io.hbaseindex.bench.scale.ScaleCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The entry point of {@code bin/bench}: one subcommand per kind of measurement. */
@Command(
    name = "bench",
    description = "Measures hbase-index and reruns the experiments of the seed papers.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      SeedsCommand.class,
      JmhCommand.class,
      ClusterMeasurements.class,
      AnswersCommand.class,
      PhoenixCommand.class,
      ScaleCommand.class,
      RangesCommand.class,
      GrowthCommand.class
    },
    footer = "Also: simulate, the simulation of the publishing protocol; see simulate --help.")
public final class BenchMain {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  private boolean help;

  private BenchMain() {}

  /** Runs the subcommand and exits with its code: 0 done, 1 failed, 2 wrong usage. */
  public static void main(String[] args) {
    CommandLine commandLine = new CommandLine(new BenchMain());
    // JMH reads its own options, so the ones picocli does not know must reach it in their order.
    commandLine.getSubcommands().get("jmh").setUnmatchedOptionsArePositionalParams(true);
    System.exit(commandLine.execute(args));
  }
}
