/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Made-up DNS requests in place of a carrier's traffic: who asked which resolver for which name.
 *
 * <p>Clients and names are drawn by Zipf's law with exponent 1, as request logs commonly show.
 * Every client has a home resolver and uses it for nine requests of ten; else any resolver. So the
 * resolver has few values and is nearly a function of the client, which is what real triples look
 * like and what independent random values do not.
 */
public final class DnsTraffic {
  public static final int CLIENTS = 20_000;
  public static final int RESOLVERS = 100;
  public static final int NAMES = 50_000;
  public static final double EXPONENT = 1.0;
  public static final double HOME_SHARE = 0.9;

  private final UniformRandomProvider random;
  private final DiscreteSampler clients;
  private final DiscreteSampler names;

  public DnsTraffic(long seed) {
    random = RandomSource.XO_SHI_RO_256_PP.create(seed);
    clients = RejectionInversionZipfSampler.of(random, CLIENTS, EXPONENT);
    names = RejectionInversionZipfSampler.of(random, NAMES, EXPONENT);
  }

  /** One request. */
  public record Request(int resolver, int client, int name) {}

  /** The next request of the stream. */
  public Request next() {
    int client = clients.sample();
    int resolver =
        random.nextDouble() < HOME_SHARE ? client % RESOLVERS : random.nextInt(RESOLVERS);
    return new Request(resolver, client, names.sample());
  }
}
