/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import com.google.protobuf.Service;
import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.master.page.HoldersPage;
import io.hbaseindex.master.page.MasterPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.yetus.audience.InterfaceAudience;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the filters of all regions at the active master: region servers push to it, clients ask it
 * where rows may be.
 *
 * <p>HBase makes one when a master becomes active, so a new one knows nothing and everything is
 * open until the regions have announced themselves. It calls nobody (its page does), and waits for
 * nothing but memory.
 *
 * <p>It is marked as one of HBase's core coprocessors because it needs to know which servers count
 * as alive, and who may read a table.
 */
@CoreCoprocessor
@InterfaceAudience.LimitedPrivate("Configuration")
public final class IndexMasterEndpoint extends FilterService implements MasterCoprocessor {
  private static final Logger LOG = LoggerFactory.getLogger(IndexMasterEndpoint.class);
  private static final int HEAP_SHARE = 8;

  private final MachineClock clock = MachineClock.of(System::nanoTime, System::currentTimeMillis);
  private Configuration conf;
  private MasterServices master;
  private String name;
  private LeaseTerms terms;
  private MasterAccess access;
  private HolderWatch watch;
  private RegistryGauges gauges;
  private MasterPage page;

  /** What is shown while holders keep the filters; null while they do not. */
  private HoldersPage holdersPage;

  private volatile boolean ended;

  public IndexMasterEndpoint() {
    super(true);
  }

  @Override
  // Raw as HBase declares it; deprecated but the only way to the master's services in HBase 2.
  @SuppressWarnings({"rawtypes", "deprecation"})
  public void start(CoprocessorEnvironment environment) throws IOException {
    MasterCoprocessorEnvironment env = (MasterCoprocessorEnvironment) environment;
    master = ((HasMasterServices) env).getMasterServices();
    conf = env.getConfiguration();
    name = env.getServerName().toString();
    terms = leaseTerms(conf);
    access = new MasterAccess(conf, master.getAccessChecker(), this::indexed);
    ZKWatcher zooKeeper = master.getZooKeeper();
    watch =
        new HolderWatch(
            () -> zooKeeper.getRecoverableZooKeeper().getZooKeeper(),
            new HolderWatch.Nodes(
                zooKeeper.getZNodePaths().masterAddressZNode, layoutNode(), Optional.empty()),
            clock,
            terms);
    follow(layout());
    watch.whenChanged(() -> follow(layout()));
    watch.start(terms.heartbeatNanos());
  }

  static LeaseTerms leaseTerms(Configuration conf) {
    return LeaseTerms.ofLease(
        Duration.ofMillis(
            conf.getLong(
                IndexSettings.PUBLISH_LEASE_MS,
                Duration.ofNanos(LeaseTerms.standard().leaseNanos()).toMillis())));
  }

  private String layoutNode() {
    return HoldersTable.node(master.getZooKeeper().getZNodePaths().baseZNode);
  }

  /** Before ZooKeeper has answered, what is held by a layout that was never set; uncertainly. */
  @Override
  HolderLayout layout() {
    return watch.layout().orElse(HolderLayout.MASTER);
  }

  @Override
  synchronized void follow(HolderLayout layout) {
    super.follow(layout);
    if (!layout.isMaster() && !ended) {
      hideHolders();
      holdersPage = HoldersPage.show(master, layout, clock::monotonicNanos);
    }
  }

  /** HBase stops its coprocessors before it tells region servers, which go on to push. */
  @Override
  boolean isEnding() {
    return ended;
  }

  private synchronized void hideHolders() {
    if (holdersPage != null) {
      holdersPage.close();
      holdersPage = null;
    }
  }

  @Override
  FilterDesk newDesk(HolderLayout layout) {
    hideHolders();
    long bytes =
        conf.getLong(
            IndexSettings.MASTER_FILTER_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    FilterRegistry registry =
        new FilterRegistry(
            new SecureRandom().nextLong(),
            clock,
            terms,
            RegistryLimits.ofBytes(bytes),
            server -> master.getServerManager().isServerOnline(ServerName.valueOf(server)),
            now -> watch.isCertain(now, layout.version()));
    gauges = new RegistryGauges(registry, clock::monotonicNanos, IndexRegistry.ofMaster());
    LOG.info("Routing queries with up to {} bytes of filters, lease {}", bytes, terms);
    TableFacts tables = new TableFacts(master.getTableDescriptors()::get, conf);
    MasterMetrics metrics = new MasterMetrics(IndexRegistry.ofMaster());
    FilterDesk desk =
        new FilterDesk(
            registry,
            name,
            access,
            tables,
            metrics,
            CallLimits.of(conf),
            terms,
            clock::monotonicNanos);
    RegistryGauges counted = gauges;
    page =
        MasterPage.show(
            master,
            registry,
            tables.cellsMayHide(),
            access::requireVisitor,
            work -> desk.show(work::run),
            () -> metrics.sample(clock.monotonicNanos(), counted.census()),
            clock::monotonicNanos);
    return desk;
  }

  @Override
  void dropped() {
    page.close();
    gauges.close();
  }

  /** Writes the layout to ZooKeeper, unless somebody else has changed it meanwhile. */
  @Override
  HolderLayout change(Optional<User> sender, HolderLayout next) throws IOException {
    access.requireAdmin(sender, Optional.empty());
    ZKWatcher zooKeeper = master.getZooKeeper();
    try {
      Stat stat = new Stat();
      byte[] data = ZKUtil.getDataNoWatch(zooKeeper, layoutNode(), stat);
      HolderLayout present = parsed(data);
      if (next.version() != present.version() + 1) {
        throw new DoNotRetryIOException(
            "Cannot keep filters by \"%s\": the layout in force is \"%s\"; read it and try again"
                .formatted(next.text(), present.text()));
      }
      byte[] text = next.text().getBytes(StandardCharsets.UTF_8);
      if (data == null) {
        ZKUtil.createAndFailSilent(zooKeeper, layoutNode(), text);
        if (!layoutInForce().equals(next)) {
          throw new DoNotRetryIOException(
              "Cannot keep filters by \"%s\": somebody else has just set another layout; read it and"
                      .formatted(next.text())
                  + " try again");
        }
      } else {
        ZKUtil.setData(zooKeeper, layoutNode(), text, stat.getVersion());
      }
    } catch (KeeperException e) {
      throw new IOException("Cannot change where filters are kept: ZooKeeper failed", e);
    }
    LOG.info("Filters are kept by another layout from now on: {}", next.text());
    return next;
  }

  /** As ZooKeeper says now: who has just changed it must not be told the former one. */
  @Override
  HolderLayout layoutInForce() throws IOException {
    try {
      return parsed(ZKUtil.getDataNoWatch(master.getZooKeeper(), layoutNode(), null));
    } catch (KeeperException e) {
      throw new IOException("Cannot say where filters are kept: ZooKeeper failed", e);
    }
  }

  private static HolderLayout parsed(byte[] data) {
    return data == null
        ? HolderLayout.MASTER
        : HolderLayout.parse(new String(data, StandardCharsets.UTF_8));
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void stop(CoprocessorEnvironment environment) {
    ended = true;
    if (watch != null) {
      watch.close();
    }
    holdNothing();
    hideHolders();
  }

  /** All columns that filters of a table tell of; none if there is no such table. */
  private Collection<ColumnRef> indexed(TableName table) throws IOException {
    return indexed(master.getTableDescriptors().get(table));
  }

  static Collection<ColumnRef> indexed(TableDescriptor descriptor) {
    if (descriptor == null) {
      return Set.of();
    }
    return IndexedTableDescriptor.indexesOf(descriptor).definitions().stream()
        .flatMap(index -> index.decidingColumns().stream())
        .collect(Collectors.toSet());
  }

  @Override
  public Iterable<Service> getServices() {
    return List.of(this);
  }
}
