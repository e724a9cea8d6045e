/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.scale.cluster.RegionCountCommand;
import io.hbaseindex.bench.scale.cluster.ReopenCommand;
import io.hbaseindex.bench.scale.cluster.VisitsCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Simulates a cluster of any size in virtual time. */
@Command(
    name = "scale",
    abbreviateSynopsis = true,
    description = {
      "Simulates a cluster of any size: the publishers of its region servers and the registries of"
          + " its holders, as they are deployed, in virtual time. Tells how many regions are"
          + " precise, how long writes wait, and what servers and holders need. Fails if an"
          + " acknowledged value is missed.",
      "",
      "Without options it is a small cluster that is through in half a minute. A thousand servers"
          + " of your own, two of whose 64 holders are simulated and replaced after five seconds:",
      "",
      "  bin/bench scale --servers=1000 --regions=5 --values=20000 --batches=50 \\",
      "    --holders=64 --simulated-holders=2 --holder-change=5",
      "",
      "Heap and direct memory are 3 GiB each unless BENCH_JVM_FLAGS says otherwise (-Xmx6g). Each"
          + " value that is simulated takes some 10 bytes of them, more where a region has few.",
      ""
    },
    subcommands = {RegionCountCommand.class, VisitsCommand.class, ReopenCommand.class},
    footerHeading = "%nPresets, the tables of docs/SCALE.md:%n",
    footer = {
      "busy-100x50, busy-20x500   servers and batches per second",
      "master-change-100          as the first; an empty master takes over",
      "idle-200-regions           one server that nobody writes to",
      "thousand-servers           64 holders, two of them simulated; all are replaced",
      "thousand-servers-busy      the same, and nothing happens to the holders",
      "lock-holds                 40 regions of 500,000 values, and a change of master",
      "memory                     bytes per value, for values in one row, two and three",
      "route-1000-regions         time to route a value; needs BENCH_JVM_FLAGS=-Xmx7g"
    })
public final class ScaleCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description = "A scenario; options that are given count more. One of those listed below.")
  private String preset;

  @Option(names = "--csv", paramLabel = "FILE", description = "Write the course of the run.")
  private Path csv;

  @Option(
      names = "--section",
      paramLabel = "NAME",
      description =
          "Write the table into the section of that name of docs/SCALE.md, and a plot beside it.")
  private String section;

  @Option(
      names = "--docs",
      paramLabel = "DIR",
      required = true,
      defaultValue = "${sys:bench.docs}",
      description = "Where SCALE.md is; default: docs of this source tree.")
  private Path docs;

  @Mixin private ScaleSettings given;

  @Override
  public Integer call() {
    if (csv != null) {
      write(csv, ""); // told before the work, not after it
    }
    ScaleSettings settings = settings();
    ScaleOutcome outcome =
        preset == null ? ScaleSimulation.outcome(settings) : named().measure(settings);
    report(outcome);
    return outcome.right() ? 0 : 1;
  }

  private void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(), "Cannot write --csv %s: %s".formatted(file, e), e);
    }
  }

  /** The options given, on top of those of the preset. */
  private ScaleSettings settings() {
    ScaleSettings settings = given;
    try {
      if (preset != null) {
        settings = new ScaleSettings();
        new CommandLine(CommandSpec.forAnnotatedObject(settings))
            .setOverwrittenOptionsAllowed(true)
            .parseArgs(presetAndGiven().toArray(String[]::new));
      }
      settings.check();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    return settings;
  }

  private List<String> presetAndGiven() {
    List<String> arguments = new ArrayList<>(named().arguments());
    CommandSpec known = CommandSpec.forAnnotatedObject(new ScaleSettings());
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (known.findOption(option.longestName()) != null) {
        arguments.add(option.longestName() + "=" + option.getValue());
      }
    }
    return arguments;
  }

  private ScalePreset named() {
    return ScalePreset.find(preset)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Cannot simulate preset %s: known are %s".formatted(preset, labels())));
  }

  private static String labels() {
    return Arrays.stream(ScalePreset.values())
        .map(ScalePreset::label)
        .collect(Collectors.joining(", "));
  }

  private void report(ScaleOutcome outcome) {
    System.out.println(outcome.table());
    if (csv != null && outcome.csv() != null) {
      write(csv, outcome.csv());
    }
    if (section != null) {
      Docs target = new Docs(docs);
      String plot = outcome.plot() == null ? "" : "\n" + target.plot(section, outcome.plot());
      target.sectionsOf("SCALE.md").replace(section, outcome.table() + plot);
    }
  }
}
