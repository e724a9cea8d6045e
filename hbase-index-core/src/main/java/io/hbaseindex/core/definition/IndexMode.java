/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import org.apache.yetus.audience.InterfaceAudience;

/** When the postings of overwritten and deleted values are ended. */
@InterfaceAudience.Public
public enum IndexMode {
  /** With the write itself, which reads the old row for it. */
  EAGER("eager"),

  /**
   * When a query or a compaction finds them stale. Writes add their posting and read nothing; made
   * for tables whose rows are seldom overwritten.
   */
  LAZY("lazy");

  private final String keyword;

  IndexMode(String keyword) {
    this.keyword = keyword;
  }

  /** The word a definition says it with. */
  public String keyword() {
    return keyword;
  }

  static IndexMode parse(String keyword) {
    for (IndexMode mode : values()) {
      if (mode.keyword.equals(keyword)) {
        return mode;
      }
    }
    throw new DefinitionException("mode was \"" + keyword + "\"; write mode=eager or mode=lazy");
  }
}
