/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A writer to standard output that knows whether whoever read it has gone, as {@code head} does
 * when it has seen enough. That is no failure, unlike a full disk.
 */
@InterfaceAudience.Private
public final class PipeWriter extends PrintWriter {
  private final Pipe pipe;

  private PipeWriter(Pipe pipe) {
    super(pipe, false, StandardCharsets.UTF_8);
    this.pipe = pipe;
  }

  /**
   * A writer to this stream.
   *
   * @param out a stream that throws what goes wrong; {@code System.out} does not
   */
  public static PipeWriter to(OutputStream out) {
    return new PipeWriter(new Pipe(out));
  }

  /** Whether nobody reads what is written any more. */
  public boolean isReaderGone() {
    return pipe.readerGone;
  }

  private static final class Pipe extends FilterOutputStream {
    private volatile boolean readerGone;

    Pipe(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (IOException e) {
        // All that Java tells of the system's EPIPE.
        readerGone |= "Broken pipe".equals(e.getMessage());
        throw e;
      }
    }
  }
}
