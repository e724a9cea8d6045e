/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.push.FilterChunks;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.RegionMessage;
import java.util.ArrayList;
import java.util.List;

/** A push while it is being filled. */
final class PushBuilder {
  private final LeaseToken token;
  private final long tokenReceivedNanos;
  private final long now;
  private final long limit;
  private final boolean beat;
  private final long credit;
  private final List<RegionMessage> messages = new ArrayList<>();
  private long weight;
  private long parts;

  /**
   * An empty push.
   *
   * @param token the token to echo, or null
   * @param limit bytes at which it takes no more parts and pages
   * @param beat whether every region is to be heard, also those that have nothing to say
   * @param credit bytes at which it takes no more parts of whole filters
   */
  PushBuilder(
      LeaseToken token, long tokenReceivedNanos, long now, long limit, boolean beat, long credit) {
    this.token = token;
    this.tokenReceivedNanos = tokenReceivedNanos;
    this.now = now;
    this.limit = limit;
    this.beat = beat;
    this.credit = credit;
  }

  /** Whether the push carries a token that the given master issued. */
  boolean echoes(long master) {
    return token != null && token.master() == master;
  }

  /** When the token was received. */
  long tokenReceivedNanos() {
    return tokenReceivedNanos;
  }

  /** Whether every region renews its trust, or says again that it is open, in this push. */
  boolean isBeat() {
    return beat;
  }

  /** Whether the push takes another part of a whole filter. */
  boolean takesParts() {
    return parts < credit && hasRoom();
  }

  /** Bytes of whole filters in the push. */
  long parts() {
    return parts;
  }

  void addPart(RegionMessage.StageChunk part) {
    add(part);
    parts += FilterChunks.bytesOf(part.pieces());
  }

  /** Whether the push takes another part or page. Small messages are always taken. */
  boolean hasRoom() {
    return weight < limit;
  }

  void add(RegionMessage message) {
    messages.add(message);
    weight += message.weight();
  }

  int size() {
    return messages.size();
  }

  Push build(String server, long number, boolean wantsCredit) {
    long held = token == null ? 0 : now - tokenReceivedNanos;
    return new Push(server, number, token, held, wantsCredit, messages);
  }
}
