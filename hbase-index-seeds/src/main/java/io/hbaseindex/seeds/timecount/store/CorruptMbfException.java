/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import io.hbaseindex.core.format.MalformedBlobException;
import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/** A stored filter is not what was written: cut short, altered, or written by something else. */
@InterfaceAudience.Private
public final class CorruptMbfException extends IOException {
  private static final long serialVersionUID = 1L;

  CorruptMbfException(MbfId id, String problem) {
    super(describe(id, problem));
  }

  CorruptMbfException(MbfId id, MalformedBlobException cause) {
    super(describe(id, cause.getMessage()), cause);
  }

  private static String describe(MbfId id, String problem) {
    return "Cannot use stored filter " + id + ": " + problem;
  }
}
