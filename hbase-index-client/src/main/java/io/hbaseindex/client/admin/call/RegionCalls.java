/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.call;

import com.google.protobuf.ServiceException;
import io.hbaseindex.client.routing.source.RouteQuestion;
import io.hbaseindex.protocol.IndexRegionProtos.IndexRegionService;
import io.hbaseindex.protocol.IndexRegionProtos.RelayRequest;
import io.hbaseindex.protocol.IndexRegionProtos.RelayResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** Calls the index service of single regions. Safe for use by many threads. */
@InterfaceAudience.Private
public final class RegionCalls {
  private final Connection connection;

  public RegionCalls(Connection connection) {
    this.connection = connection;
  }

  /** A call to the service of one region. */
  public interface Call<T> {
    T on(IndexRegionService.BlockingInterface region) throws ServiceException;
  }

  /** The table's regions in key order, without replicas, as the catalog has them now. */
  public List<HRegionLocation> regionsOf(TableName table) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      locator.clearRegionLocationCache();
      return locator.getAllRegionLocations().stream()
          .filter(at -> at.getRegion().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID)
          .toList();
    }
  }

  /** The region that has the key now. */
  public RegionInfo regionAt(TableName table, byte[] key) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return locator.getRegionLocation(key, true).getRegion();
    }
  }

  /**
   * The descriptor of a table as this user may have it: HBase's, which it shows to administrators
   * alone, or else what a region tells to readers. The latter has no families if the table has no
   * index.
   */
  public TableDescriptor readableDescriptorOf(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getDescriptor(table);
    } catch (AccessDeniedException denied) {
      return descriptorOf(table);
    }
  }

  /**
   * The descriptor of a table with indexes, as far as its readers need it, from its first region.
   */
  private TableDescriptor descriptorOf(TableName table) throws IOException {
    RouteQuestion.Descriptor question = new RouteQuestion.Descriptor(table);
    RelayRequest request = RelayRequest.newBuilder().setQuestion(question.relayed()).build();
    try {
      RelayResponse answer =
          call(table, HConstants.EMPTY_START_ROW, region -> region.relay(null, request));
      return question.read(answer.getResponse());
    } catch (IOException e) {
      if (e.getCause() instanceof UnknownProtocolException) {
        return question.answerWithoutIndexes().join();
      }
      throw e;
    }
  }

  /** Calls whichever region has the key. */
  public <T> T call(TableName name, byte[] key, Call<T> call) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(
          "Cannot ask the regions of " + name + ": the thread was interrupted");
    }
    try (Table table = connection.getTable(name)) {
      return call.on(IndexRegionService.newBlockingStub(table.coprocessorService(key)));
    } catch (ServiceException e) {
      throw failed(name, key, e);
    }
  }

  private static IOException failed(TableName table, byte[] key, ServiceException e) {
    if (e.getCause() instanceof InterruptedIOException interrupted) {
      return interrupted;
    }
    String message =
        "Cannot ask the region of table "
            + table
            + " from key \""
            + Bytes.toStringBinary(key)
            + "\" about its indexes: "
            + e.getMessage();
    return new IOException(message, e.getCause() == null ? e : e.getCause());
  }
}
