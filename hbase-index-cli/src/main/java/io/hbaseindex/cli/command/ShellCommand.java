/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.cli.connect.ClusterOptions;
import io.hbaseindex.cli.connect.SharedConnection;
import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.shell.LineSource;
import io.hbaseindex.cli.shell.ShellLine;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reads commands and runs them one after another, over one connection. */
@Command(
    name = "shell",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Type commands one after another, over one connection, with history and completion.",
      "Conditions need no quotes: query people where f:city = 'Bad Ischl' limit 5",
      "Input that is no terminal is read line by line, and the shell ends with the code of the last command."
    })
@InterfaceAudience.Private
public final class ShellCommand implements Callable<Integer> {
  private static final Set<String> LAST_WORDS = Set.of("exit", "quit");

  @Spec private CommandSpec spec;

  @Mixin private ClusterOptions cluster;

  @Override
  public Integer call() throws Exception {
    int exitCode = ExitCode.OK;
    try (SharedConnection connection = new SharedConnection(cluster);
        LineSource lines = LineSource.of(System.in, words())) {
      for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
        List<String> words = ShellLine.words(line.get());
        if (!words.isEmpty() && LAST_WORDS.contains(words.get(0))) {
          break;
        }
        if (!words.isEmpty()) {
          exitCode = run(connection, words);
        }
      }
      return lines.isInteractive() ? ExitCode.OK : exitCode;
    }
  }

  private int run(SharedConnection connection, List<String> words) {
    CommandLine line = spec.commandLine();
    List<String> command = words.get(0).equals("help") ? List.of("--help") : words;
    return ((CommandRunner) spec.root().userObject())
        .run(connection, line.getOut(), line.getErr(), command.toArray(String[]::new));
  }

  /** What completion knows: commands and their options. */
  private Set<String> words() {
    Set<String> words = new TreeSet<>(LAST_WORDS);
    words.add("help");
    words.add("where");
    spec.root()
        .subcommands()
        .forEach(
            (name, command) -> {
              words.add(name);
              words.addAll(command.getCommandSpec().optionsMap().keySet());
            });
    return words;
  }
}
