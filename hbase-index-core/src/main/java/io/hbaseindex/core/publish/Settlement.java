/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

/** Tells which writes of a region may be acknowledged. What has been settled once stays so. */
final class Settlement {
  private final RemainingTrust trust;

  /** What the present master has confirmed, and what no write has to wait for any more. */
  private WriteTicket confirmed = WriteTicket.NONE;

  private WriteTicket settled = WriteTicket.NONE;

  /**
   * @param trust what may be left of earlier times; nothing is settled before its end
   */
  Settlement(RemainingTrust trust) {
    this.trust = trust;
  }

  /** The present master answers by a generation that has everything up to this. */
  void confirm(WriteTicket applied) {
    confirmed = confirmed.orLater(applied);
  }

  /**
   * Settles what the master has confirmed, and what was given up as soon as nobody trusts it.
   *
   * @param givenUp {@link WriteTicket#NONE} in a region that is precise
   */
  void settle(WriteTicket givenUp, long now) {
    if (!trust.hasNoneBefore(now)) {
      return;
    }
    settled = settled.orLater(confirmed);
    if (trust.hasNoOwn(now)) {
      settled = settled.orLater(givenUp);
    }
  }

  boolean includes(WriteTicket ticket) {
    return ticket.compareTo(settled) <= 0;
  }
}
