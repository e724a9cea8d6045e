/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.format;

import java.nio.charset.StandardCharsets;
import org.apache.yetus.audience.InterfaceAudience;

/** Every kind of blob there is, with its magic and the version that this code understands. */
@InterfaceAudience.Private
public enum BlobKind {
  /** The bit planes of a chain: what the master holds. */
  FILTER_PLANES("HIXP", 1),
  /** A part of the filter that a region has stored, counters and all. */
  STORED_FILTER("HIXF", 1),
  /** What a group of time windows is, without its counters. */
  TIME_FILTER_HEADER("HIXT", 1),
  /** The bits and counters of a group of time windows. */
  TIME_FILTER_CONTENT("HIXW", 1),
  /** What a region knows of its own indexes: built or not, and by which store files. */
  REGION_LEDGER("HIXL", 3),
  /** What a region server tells the master about its regions' filters. */
  PUSH("HIXU", 3),
  /** The master's answer to a push. */
  PUSH_REPLY("HIXR", 1),
  /** What a client asks the master. */
  ROUTE_REQUEST("HIXQ", 1),
  /** Where the master says that rows may be. */
  ROUTE_ANSWER("HIXA", 1),
  /** Where a query that is read in pages has come to. */
  PAGE_TOKEN("HIXG", 1);

  /** Length of a magic in bytes. */
  static final int MAGIC_LENGTH = 4;

  private final String magic;
  private final int version;

  BlobKind(String magic, int version) {
    this.magic = magic;
    this.version = version;
  }

  /** The version that this code writes, and the only one that it reads. */
  public int version() {
    return version;
  }

  byte[] magic() {
    return magic.getBytes(StandardCharsets.US_ASCII);
  }
}
