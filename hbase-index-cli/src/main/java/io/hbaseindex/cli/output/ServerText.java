/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import org.apache.yetus.audience.InterfaceAudience;

/** Servers as people name them. */
@InterfaceAudience.Private
public final class ServerText {
  private ServerText() {}

  /** Host and port say enough; the start code is for machines. */
  public static String of(String server) {
    String[] parts = server.split(",");
    return parts.length < 2 ? server : parts[0] + ":" + parts[1];
  }
}
