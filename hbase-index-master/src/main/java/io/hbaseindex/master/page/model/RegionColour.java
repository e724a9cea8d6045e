/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import io.hbaseindex.core.route.OpenReason;
import org.apache.yetus.audience.InterfaceAudience;

/** How a region stands, as the page colours it; those that call for a look come last. */
@InterfaceAudience.Private
public enum RegionColour {
  /** Its filter is trusted: a query for a value it lacks leaves it out. */
  PRECISE("precise"),
  /** An index is being built, or its filter is on its way. */
  BUILDING("building"),
  /** Nobody has announced it to this master. */
  SILENT("not announced"),
  /** It has a filter that is not trusted, or lost it. */
  OPEN("open");

  private final String words;

  RegionColour(String words) {
    this.words = words;
  }

  /** The colour of an announced region. */
  public static RegionColour of(OpenReason open) {
    if (open == null) {
      return PRECISE;
    }
    return switch (open) {
      case NOT_READY, PUBLISHING -> BUILDING;
      case ABSENT -> SILENT;
      default -> OPEN;
    };
  }

  /** What it is called on the page. */
  public String words() {
    return words;
  }
}
