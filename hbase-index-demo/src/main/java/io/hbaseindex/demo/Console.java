/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What a person sees. Hadoop's mini clusters print to the standard streams on their own; once this
 * is open, that goes to the log file.
 */
final class Console {
  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;
  private boolean midLine;

  private Console(PrintStream out, PrintStream err, boolean terminal) {
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  /**
   * Takes the standard streams over.
   *
   * @param strayOutput where what others print goes
   */
  static Console open(Path strayOutput) throws IOException {
    Console console = new Console(System.out, System.err, System.console() != null);
    PrintStream stray = new PrintStream(strayOutput.toString(), StandardCharsets.UTF_8);
    System.setOut(stray);
    System.setErr(stray);
    return console;
  }

  void say(String line) {
    out.println(line);
  }

  /** An error message; a progress bar that was being drawn stays above it. */
  synchronized void complain(String line) {
    if (terminal && midLine) {
      err.println();
    }
    err.println(line);
  }

  ProgressBar progress(String what) {
    midLine = true;
    return new ProgressBar(out, terminal, what);
  }
}
