/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.master;

import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reading of messages that another process has made, and that may be broken.
 *
 * <p>The parser of protobuf 2.5, which HBase brings along for its endpoints, adds lengths without a
 * look at their overflow. It then runs out of the array, which nobody who waits for an IOException
 * expects.
 */
@InterfaceAudience.Private
public final class ReceivedMessage {
  private ReceivedMessage() {}

  /** A parser at work. */
  public interface Parsing<T> {
    T parse() throws IOException;
  }

  /**
   * Reads a message.
   *
   * @param what for the error: a question, an answer
   * @throws IOException if it is broken, in whatever way
   */
  public static <T> T read(String what, Parsing<T> parsing) throws IOException {
    try {
      return parsing.parse();
    } catch (RuntimeException e) {
      throw new IOException("Cannot read " + what + ": it was damaged", e);
    }
  }
}
