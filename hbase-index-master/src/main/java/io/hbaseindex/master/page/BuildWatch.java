/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.master.page.model.Building;
import io.hbaseindex.protocol.IndexRegionProtos.IndexRegionService;
import io.hbaseindex.protocol.IndexRegionProtos.IndexStatus;
import io.hbaseindex.protocol.IndexRegionProtos.Phase;
import io.hbaseindex.protocol.IndexRegionProtos.StatusRequest;
import io.hbaseindex.protocol.IndexRegionProtos.StatusResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ScheduledChore;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows how far builds are. Filters tell in which regions an index is complete; how many rows the
 * others have gone through only they know. So they are asked, every few seconds and whoever looks,
 * {@value #REGIONS} of them at most. While nothing is being built, nobody is.
 */
@InterfaceAudience.Private
final class BuildWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BuildWatch.class);
  private static final int EVERY_MILLIS = 5_000;
  private static final int REGIONS = 200;

  /** Finds regions in which an index is not complete. */
  interface Unfinished {
    /**
     * @param most how many are wanted at most
     */
    List<Region> regions(int most) throws IOException;
  }

  /** A region to ask. */
  record Region(TableName table, String encodedName, byte[] startKey) {}

  private final Unfinished unfinished;
  private final MasterConnection connection;
  private final ScheduledChore asking;

  /** By encoded name of the region and id of the index. */
  private final Map<String, Map<Integer, Building>> answers = new ConcurrentHashMap<>();

  /**
   * @param nanoClock a monotonic clock
   */
  BuildWatch(MasterServices master, Unfinished unfinished, LongSupplier nanoClock) {
    this.unfinished = unfinished;
    Configuration conf = new Configuration(master.getConfiguration());
    // Whatever clients are told to use, this is a plain connection.
    conf.unset(ConnectionFactory.HBASE_CLIENT_ASYNC_CONNECTION_IMPL);
    this.connection =
        new MasterConnection(() -> ConnectionFactory.createAsyncConnection(conf), nanoClock);
    this.asking =
        new ScheduledChore("hbase-index-builds", master, EVERY_MILLIS) {
          @Override
          protected void chore() {
            ask();
          }
        };
  }

  /** What is to be run every few seconds. */
  ScheduledChore chore() {
    return asking;
  }

  /** How far a region has come with each index that it was building when it was asked. */
  Map<Integer, Building> of(String encodedName) {
    return answers.getOrDefault(encodedName, Map.of());
  }

  private void ask() {
    try {
      List<Region> regions = unfinished.regions(REGIONS);
      Set<String> names = new HashSet<>();
      regions.forEach(region -> names.add(region.encodedName()));
      answers.keySet().retainAll(names);
      regions.forEach(this::ask);
    } catch (IOException e) {
      LOG.warn("Cannot look for builds under way", e);
    }
  }

  private void ask(Region region) {
    connection
        .call(
            made ->
                made.getTableBuilder(region.table())
                    .setOperationTimeout(EVERY_MILLIS, TimeUnit.MILLISECONDS)
                    .build()
                    .<IndexRegionService.Stub, StatusResponse>coprocessorService(
                        IndexRegionService::newStub,
                        (IndexRegionService.Stub stub,
                            RpcController controller,
                            RpcCallback<StatusResponse> done) ->
                            stub.status(controller, StatusRequest.getDefaultInstance(), done),
                        region.startKey()))
        .whenComplete(
            (answer, error) -> {
              if (error == null) {
                answers.put(region.encodedName(), building(answer));
              } else {
                answers.remove(region.encodedName());
                LOG.debug("Region {} does not say how far it is", region.encodedName(), error);
              }
            });
  }

  private static Map<Integer, Building> building(StatusResponse answer) {
    Map<Integer, Building> building = new HashMap<>();
    for (IndexStatus index : answer.getIndexList()) {
      if (index.getPhase() == Phase.BUILDING) {
        building.put(
            index.getId(), Building.inOneRegion(index.getRowsDone(), index.getRowsExpected()));
      }
    }
    return building;
  }

  @Override
  public void close() {
    asking.cancel();
    connection.close();
  }
}
