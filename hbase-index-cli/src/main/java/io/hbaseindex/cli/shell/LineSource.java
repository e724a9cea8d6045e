/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** Where a shell's lines come from. */
@InterfaceAudience.Private
public interface LineSource extends AutoCloseable {
  /** The next line; empty at the end. */
  Optional<String> next() throws IOException;

  /** Whether a person types the lines. */
  boolean isInteractive();

  @Override
  void close() throws IOException;

  /**
   * A terminal if there is one, else the stream.
   *
   * @param words what a terminal completes
   */
  static LineSource of(InputStream in, Collection<String> words) throws IOException {
    return System.console() == null ? new Stream(in) : new TerminalLines(words);
  }

  /** Lines that a script has written. */
  final class Stream implements LineSource {
    private final BufferedReader reader;

    Stream(InputStream in) {
      this.reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    @Override
    public Optional<String> next() throws IOException {
      return Optional.ofNullable(reader.readLine());
    }

    @Override
    public boolean isInteractive() {
      return false;
    }

    /** The stream is somebody else's. */
    @Override
    public void close() {}
  }
}
