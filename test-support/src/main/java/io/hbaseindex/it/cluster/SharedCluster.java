/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.core.shard.HolderLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit extension that hands every test of the JVM the same {@link TestCluster}, started on first
 * use and stopped after the last class.
 *
 * <p>Tests leave it as they found it: three region servers alive, their own tables dropped.
 *
 * <p>The master holds its filters, or with {@value #HOLDERS} so many regions of the holders' table,
 * in {@value #SHARDS} shards.
 */
public final class SharedCluster implements ParameterResolver {

  static final String HOLDERS = "hbaseindex.holders";
  static final String SHARDS = "hbaseindex.shards";
  private static final int SHARDS_UNLESS_SAID = 3;

  private static final Namespace NAMESPACE = Namespace.create(SharedCluster.class);

  private static int holders() {
    return Integer.getInteger(HOLDERS, 0);
  }

  /** How many shards the filters of a table have. */
  public static int shards() {
    return holders() == 0 ? 1 : Integer.getInteger(SHARDS, Math.min(holders(), SHARDS_UNLESS_SAID));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public TestCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    // Not the root's store: where Maven feeds two JVMs, every class is a root of its own.
    return context
        .getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
        .getOrComputeIfAbsent(TestCluster.class, key -> new Running(), Running.class)
        .outcome();
  }

  /**
   * Keeps the outcome of the one start, good or bad: a failed start is not tried again per class.
   */
  private static final class Running implements AutoCloseable {

    private TestCluster cluster;
    private IOException failure;

    Running() {
      try {
        cluster = TestCluster.start(SharedClusterSettings.SETTINGS);
        keepFilters();
        System.out.printf(
            "Mini cluster with three region servers started in %.1f s%n",
            cluster.startTook().toMillis() / 1000.0);
      } catch (IOException e) {
        failure = e;
      }
    }

    private void keepFilters() throws IOException {
      int holders = holders();
      if (holders > 0) {
        HolderLayout layout =
            IndexAdmin.of(cluster.connection()).keepFilters(holders, shards(), Map.of());
        System.out.println("Filters are kept by " + layout.text());
      }
    }

    TestCluster outcome() {
      if (failure != null) {
        throw new UncheckedIOException(failure);
      }
      return cluster;
    }

    @Override
    public void close() throws IOException {
      if (cluster != null) {
        cluster.close();
      }
    }
  }
}
