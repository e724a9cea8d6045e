/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.registry.ActiveMasterLease;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.master.page.ClusterReader;
import io.hbaseindex.master.page.RouteExplainer;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.HoldingServersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.PushRequest;
import io.hbaseindex.protocol.IndexMasterProtos.PushResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusResponse;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the filters of all regions at the active master: region servers push to it, clients ask it
 * where rows may be.
 *
 * <p>HBase makes one when a master becomes active, so a new one knows nothing and everything is
 * open until the regions have announced themselves. It calls nobody, and waits for nothing but
 * memory.
 *
 * <p>It is marked as one of HBase's core coprocessors because it needs to know which servers count
 * as alive, and who may read a table.
 */
@CoreCoprocessor
@InterfaceAudience.LimitedPrivate("Configuration")
public final class IndexMasterEndpoint extends IndexMasterService implements MasterCoprocessor {
  private static final Logger LOG = LoggerFactory.getLogger(IndexMasterEndpoint.class);
  private static final int HEAP_SHARE = 8;

  private volatile FilterDesk desk;
  private ActiveMasterWatch watch;
  private RegistryGauges gauges;
  private MasterPage page;

  @Override
  // Raw as HBase declares it; deprecated but the only way to the master's services in HBase 2.
  @SuppressWarnings({"rawtypes", "deprecation"})
  public void start(CoprocessorEnvironment environment) throws IOException {
    MasterCoprocessorEnvironment env = (MasterCoprocessorEnvironment) environment;
    MasterServices master = ((HasMasterServices) env).getMasterServices();
    Configuration conf = env.getConfiguration();
    LeaseTerms terms =
        LeaseTerms.ofLease(
            Duration.ofMillis(
                conf.getLong(
                    IndexSettings.PUBLISH_LEASE_MS,
                    Duration.ofNanos(LeaseTerms.standard().leaseNanos()).toMillis())));
    long bytes =
        conf.getLong(
            IndexSettings.MASTER_FILTER_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    MachineClock clock = MachineClock.of(System::nanoTime, System::currentTimeMillis);
    ActiveMasterLease lease = new ActiveMasterLease(terms);
    FilterRegistry registry =
        new FilterRegistry(
            new SecureRandom().nextLong(),
            clock,
            terms,
            RegistryLimits.ofBytes(bytes),
            server -> master.getServerManager().isServerOnline(ServerName.valueOf(server)),
            lease);
    watch = watch(master.getZooKeeper(), clock, lease);
    watch.start(terms.heartbeatNanos());
    MetricRegistry registered = IndexRegistry.ofMaster();
    MasterMetrics metrics = new MasterMetrics(registered);
    MasterAccess access =
        new MasterAccess(conf, master.getAccessChecker(), table -> indexed(master, table));
    TableFacts tables = new TableFacts(master.getTableDescriptors(), conf);
    desk =
        new FilterDesk(
            registry,
            env.getServerName().toString(),
            access,
            tables,
            metrics,
            CallLimits.of(conf),
            terms,
            clock::monotonicNanos);
    gauges = new RegistryGauges(registry, clock::monotonicNanos, registered);
    page =
        MasterPage.show(
            master,
            new ClusterReader(master, registry),
            new RouteExplainer(registry, tables.cellsMayHide()),
            access,
            desk,
            () -> metrics.sample(clock.monotonicNanos(), gauges.census()));
    LOG.info("Routing queries with up to {} bytes of filters, lease {}", bytes, terms);
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void stop(CoprocessorEnvironment environment) {
    if (page != null) {
      page.close();
    }
    if (watch != null) {
      watch.close();
    }
    if (gauges != null) {
      gauges.close();
    }
  }

  private static ActiveMasterWatch watch(
      ZKWatcher zooKeeper, MachineClock clock, ActiveMasterLease lease) {
    return new ActiveMasterWatch(
        () -> zooKeeper.getRecoverableZooKeeper().getZooKeeper(),
        zooKeeper.getZNodePaths().masterAddressZNode,
        clock,
        lease);
  }

  /** All indexed columns of a table; none if there is no such table. */
  private static Collection<ColumnRef> indexed(MasterServices master, TableName table)
      throws IOException {
    TableDescriptor descriptor = master.getTableDescriptors().get(table);
    if (descriptor == null) {
      return Set.of();
    }
    return IndexedTableDescriptor.indexesOf(descriptor).definitions().stream()
        .flatMap(index -> index.columns().stream())
        .collect(Collectors.toSet());
  }

  @Override
  public Iterable<Service> getServices() {
    return List.of(this);
  }

  @Override
  public void push(RpcController controller, PushRequest request, RpcCallback<PushResponse> done) {
    answer(controller, done, () -> desk.push(RpcServer.getRequestUser(), request.getPush()));
  }

  @Override
  public void route(
      RpcController controller, RouteRequest request, RpcCallback<RouteResponse> done) {
    answer(controller, done, () -> desk.route(RpcServer.getRequestUser(), request.getRequest()));
  }

  @Override
  public void servers(
      RpcController controller, RouteRequest request, RpcCallback<HoldingServersResponse> done) {
    answer(controller, done, () -> desk.servers(RpcServer.getRequestUser(), request.getRequest()));
  }

  @Override
  public void filters(
      RpcController controller, FiltersRequest request, RpcCallback<FiltersResponse> done) {
    answer(controller, done, () -> desk.filters(RpcServer.getRequestUser(), request));
  }

  @Override
  public void status(
      RpcController controller,
      RoutingStatusRequest request,
      RpcCallback<RoutingStatusResponse> done) {
    answer(controller, done, () -> desk.status(RpcServer.getRequestUser(), request));
  }

  private static <T> void answer(
      RpcController controller, RpcCallback<T> done, CallGate.Work<T> work) {
    T response = null;
    try {
      response = work.run();
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
    }
    done.run(response);
  }
}
