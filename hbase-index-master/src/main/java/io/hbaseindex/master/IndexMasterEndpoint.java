package io.hbaseindex.master;

import com.google.protobuf.ByteString;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.publish.FilterRegistry;
import io.hbaseindex.core.publish.LeaseTerms;
import io.hbaseindex.core.publish.PublishClock;
import io.hbaseindex.core.publish.RegistryLimits;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.PushRequest;
import io.hbaseindex.protocol.IndexMasterProtos.PushResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.master.MasterServices;
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
public final class IndexMasterEndpoint extends IndexMasterService implements MasterCoprocessor {
  private static final Logger LOG = LoggerFactory.getLogger(IndexMasterEndpoint.class);
  private static final int HEAP_SHARE = 8;

  private volatile FilterDesk desk;

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
    FilterRegistry registry =
        new FilterRegistry(
            new SecureRandom().nextLong(),
            PublishClock.of(System::nanoTime, System::currentTimeMillis),
            terms,
            RegistryLimits.ofBytes(bytes),
            server -> master.getServerManager().isServerOnline(ServerName.valueOf(server)));
    desk =
        new FilterDesk(
            registry,
            new MasterAccess(conf, master.getAccessChecker()),
            new MasterMetrics(env.getMetricRegistryForMaster()));
    LOG.info("Routing queries with up to {} bytes of filters, lease {}", bytes, terms);
  }

  @Override
  public Iterable<Service> getServices() {
    return List.of(this);
  }

  @Override
  public void push(RpcController controller, PushRequest request, RpcCallback<PushResponse> done) {
    PushResponse response = null;
    try {
      byte[] reply = desk.push(RpcServer.getRequestUser(), request.getPush().toByteArray());
      response = PushResponse.newBuilder().setReply(ByteString.copyFrom(reply)).build();
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
    } catch (RuntimeException e) {
      CoprocessorRpcUtils.setControllerException(controller, unexpected("take a push", e));
    }
    done.run(response);
  }

  @Override
  public void route(
      RpcController controller, RouteRequest request, RpcCallback<RouteResponse> done) {
    RouteResponse response = null;
    try {
      byte[] answer = desk.route(RpcServer.getRequestUser(), request.getRequest().toByteArray());
      response = RouteResponse.newBuilder().setAnswer(ByteString.copyFrom(answer)).build();
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
    } catch (RuntimeException e) {
      CoprocessorRpcUtils.setControllerException(controller, unexpected("route a query", e));
    }
    done.run(response);
  }

  /** HBase would abort the master on anything but an IOException. */
  private static IOException unexpected(String what, RuntimeException cause) {
    LOG.error("Cannot {}", what, cause);
    return new DoNotRetryIOException("Cannot " + what + ": " + cause, cause);
  }
}
