/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.bench.tuple.DnsTraffic.Request;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DnsTrafficTest {
  @Test
  void next_sameSeed_givesTheSameStream() {
    assertThat(requests(5)).isEqualTo(requests(5)).isNotEqualTo(requests(6));
  }

  @Test
  void next_manyRequests_areAsSkewedAsStated() {
    List<Request> requests = requests(1);

    long home =
        requests.stream().filter(r -> r.resolver() == r.client() % DnsTraffic.RESOLVERS).count();
    long busiest = requests.stream().filter(r -> r.name() == 1).count();

    assertThat(home / (double) requests.size()).isBetween(0.88, 0.92);
    // Zipf's law with exponent 1 over 50,000 names gives the first one 1/H(50,000) = 8.8 %.
    assertThat(busiest / (double) requests.size()).isBetween(0.08, 0.096);
    assertThat(requests)
        .allMatch(r -> r.client() >= 1 && r.client() <= DnsTraffic.CLIENTS)
        .allMatch(r -> r.name() >= 1 && r.name() <= DnsTraffic.NAMES)
        .allMatch(r -> r.resolver() >= 0 && r.resolver() < DnsTraffic.RESOLVERS);
  }

  private static List<Request> requests(long seed) {
    return Stream.generate(new DnsTraffic(seed)::next).limit(20_000).toList();
  }
}
