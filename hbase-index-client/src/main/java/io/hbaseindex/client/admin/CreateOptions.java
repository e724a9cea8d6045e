/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import io.hbaseindex.client.admin.status.Progress;
import java.util.Objects;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How to create indexes.
 *
 * @param publish whether the table's regions are to publish their filters to the master; empty to
 *     leave the table's setting, or the servers', as it is. Concerns all indexes of the table.
 * @param progress is told how the alteration of the table goes
 */
@InterfaceAudience.Public
public record CreateOptions(Optional<Boolean> publish, Progress progress) {

  /** Refuses null. */
  public CreateOptions {
    Objects.requireNonNull(publish);
    Objects.requireNonNull(progress);
  }

  /** The table's own setting, and nobody told. */
  public static CreateOptions defaults() {
    return new CreateOptions(Optional.empty(), Progress.NONE);
  }

  /** The same, with regions that publish their filters or do not. */
  public CreateOptions publishing(boolean wanted) {
    return new CreateOptions(Optional.of(wanted), progress);
  }

  /** The same, telling {@code listener}. */
  public CreateOptions telling(Progress listener) {
    return new CreateOptions(publish, listener);
  }
}
