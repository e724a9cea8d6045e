/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.report.Docs;
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
    description =
        "Runs the deployed publishers and registries of a cluster in virtual time and measures"
            + " what they cost.",
    footerHeading = "%nPresets:%n",
    footer = {
      "busy-100x50, busy-20x500   servers and batches per second",
      "master-change-100          as the first; an empty master takes over",
      "idle-200-regions           one server that nobody writes to",
      "thousand-servers           64 holders, two of which are simulated"
    })
public final class ScaleCommand implements Callable<Integer> {
  private static final long PROGRESS_NANOS = 5_000_000_000L;

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
    long[] nextLine = {System.nanoTime() + PROGRESS_NANOS};
    System.err.printf(
        "filling %,d regions with %,d values each%n", settings.allRegions(), settings.values);
    ScaleResult result =
        new ScaleSimulation(
                settings,
                (second, precise) -> {
                  if (System.nanoTime() - nextLine[0] >= 0) {
                    nextLine[0] += PROGRESS_NANOS;
                    System.err.printf(
                        "second %.2f of %.0f: %,d of %,d regions precise%n",
                        second, settings.settle + settings.seconds, precise, settings.allRegions());
                  }
                })
            .run();
    report(result);
    return result.missed() == 0 ? 0 : 1;
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
    ScalePreset named =
        ScalePreset.find(preset)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "Cannot simulate preset %s: known are %s".formatted(preset, labels())));
    List<String> arguments = new ArrayList<>(named.arguments());
    CommandSpec known = CommandSpec.forAnnotatedObject(new ScaleSettings());
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (known.findOption(option.longestName()) != null) {
        arguments.add(option.longestName() + "=" + option.getValue());
      }
    }
    return arguments;
  }

  private static String labels() {
    return Arrays.stream(ScalePreset.values())
        .map(ScalePreset::label)
        .collect(Collectors.joining(", "));
  }

  private void report(ScaleResult result) {
    System.out.println(result.table());
    if (csv != null) {
      write(csv, result.csv());
    }
    if (section != null) {
      Docs target = new Docs(docs);
      String plot = target.plot(section, result.plot("Precise regions: " + section));
      target.sectionsOf("SCALE.md").replace(section, result.table() + "\n" + plot);
    }
  }
}
