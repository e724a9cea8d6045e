/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import java.io.IOException;
import java.util.Optional;

/** A ledger in memory whose reads and writes can be made to fail. */
public final class MemoryLedger implements LedgerStore {

  private Optional<LedgerRecord> stored = Optional.empty();
  boolean failing;

  /** No room for anything new. */
  boolean full;

  /** What is stored cannot be taken over as it is. */
  boolean unclaimable;

  public int writes;

  @Override
  public Optional<LedgerRecord> read() throws IOException {
    failIfAsked();
    return stored;
  }

  @Override
  public void replace(LedgerRecord record) throws IOException {
    failIfAsked();
    if (full) {
      throw new IOException("no space left");
    }
    writes++;
    stored = Optional.of(record);
  }

  @Override
  public void claim() throws IOException {
    failIfAsked();
    if (unclaimable) {
      throw new IOException("somebody else's");
    }
  }

  @Override
  public void delete() throws IOException {
    failIfAsked();
    stored = Optional.empty();
  }

  public Optional<LedgerRecord> stored() {
    return stored;
  }

  private void failIfAsked() throws IOException {
    if (failing) {
      throw new IOException("disk on fire");
    }
  }
}
