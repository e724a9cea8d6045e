/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import org.apache.yetus.audience.InterfaceAudience;

/** An access would exceed what a scan may read or hold before its first row. */
@InterfaceAudience.Private
public final class TooManyCandidatesException extends Exception {
  private static final long serialVersionUID = 1L;

  TooManyCandidatesException(String message) {
    super(message, null, false, false);
  }
}
