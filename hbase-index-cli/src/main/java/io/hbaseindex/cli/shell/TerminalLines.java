/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.shell;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Lines that a person types, with editing, completion, and a history that outlives the shell. */
final class TerminalLines implements LineSource {
  private static final String PROMPT = "hbase-index> ";
  private static final String HISTORY = ".hbase-index-history";

  private final Terminal terminal;
  private final LineReader reader;

  TerminalLines(Collection<String> words) throws IOException {
    terminal = TerminalBuilder.builder().system(true).build();
    DefaultParser parser = new DefaultParser();
    // A backslash begins the bytes of a column, and ends no line.
    parser.setEscapeChars(new char[0]);
    reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .parser(parser)
            .completer(new StringsCompleter(words))
            .variable(LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), HISTORY))
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
  }

  @Override
  public Optional<String> next() {
    while (true) {
      try {
        return Optional.of(reader.readLine(PROMPT));
      } catch (UserInterruptException e) {
        // The line is given up, not the shell.
        continue;
      } catch (EndOfFileException e) {
        return Optional.empty();
      }
    }
  }

  @Override
  public boolean isInteractive() {
    return true;
  }

  @Override
  public void close() throws IOException {
    terminal.close();
  }
}
