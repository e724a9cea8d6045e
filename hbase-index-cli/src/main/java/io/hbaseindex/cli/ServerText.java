/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli;

/** Servers as people name them. */
final class ServerText {
  private ServerText() {}

  /** Host and port say enough; the start code is for machines. */
  static String of(String server) {
    String[] parts = server.split(",");
    return parts.length < 2 ? server : parts[0] + ":" + parts[1];
  }
}
