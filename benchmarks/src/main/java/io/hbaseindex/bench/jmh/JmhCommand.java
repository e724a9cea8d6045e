/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.jmh;

import io.hbaseindex.bench.report.Docs;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs microbenchmarks, and writes their table into a section of {@code docs/BENCHMARKS.md}. */
@Command(
    name = "jmh",
    description = {
      "Runs the microbenchmarks whose name matches a regex.",
      "Options not listed here go to JMH, for example -f 1 -wi 3 -i 5 -p structure=CBFM."
    })
public final class JmhCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "REGEX | JMH-OPTION",
      arity = "0..*",
      description = "Which benchmarks to run, all if no regex is given, and how.")
  private List<String> jmhArguments = List.of();

  @Option(
      names = "--section",
      paramLabel = "NAME",
      description = "Also write the result table to this generated section of BENCHMARKS.md.")
  private String section;

  @Option(
      names = "--docs",
      paramLabel = "DIR",
      required = true,
      defaultValue = "${sys:bench.docs}",
      description = "Where BENCHMARKS.md is; default: docs of this source tree.")
  private Path docs;

  @Override
  public Integer call() throws CommandLineOptionException, RunnerException {
    CommandLineOptions options = new CommandLineOptions(jmhArguments.toArray(String[]::new));
    Runner runner = new Runner(options);
    if (options.shouldList()) {
      runner.list();
      return 0;
    }
    Collection<RunResult> results = runner.run();
    String table = JmhTable.of(results);
    System.out.println(table);
    if (section != null) {
      new Docs(docs).sectionsOf("BENCHMARKS.md").replace(section, table);
    }
    return 0;
  }
}
