/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

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
  private final List<RegionMessage> messages = new ArrayList<>();
  private long weight;

  /**
   * An empty push.
   *
   * @param token the token to echo, or null
   */
  PushBuilder(LeaseToken token, long tokenReceivedNanos, long now, long limit) {
    this.token = token;
    this.tokenReceivedNanos = tokenReceivedNanos;
    this.now = now;
    this.limit = limit;
  }

  /** Whether the push carries a token that the given master issued. */
  boolean echoes(long master) {
    return token != null && token.master() == master;
  }

  /** When the token was received. */
  long tokenReceivedNanos() {
    return tokenReceivedNanos;
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

  Push build(String server, long number) {
    long held = token == null ? 0 : now - tokenReceivedNanos;
    return new Push(server, number, token, held, messages);
  }
}
