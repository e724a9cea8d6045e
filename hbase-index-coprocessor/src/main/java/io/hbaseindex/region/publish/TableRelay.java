/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.hbaseindex.common.master.ReceivedMessage;
import io.hbaseindex.common.table.TableShape;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexRegionProtos.RelayedQuestion;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Answers what clients that may not call the master want to know from it about one table. The
 * master answers the server, not the client: so questions about other tables are refused here.
 */
@InterfaceAudience.Private
public final class TableRelay {
  /** A copy passes through this server's memory; a larger one is for those who ask the master. */
  static final long MOST_FILTER_BYTES = 8L << 20;

  private final TableDescriptor table;
  private final Optional<MasterRelay> master;

  private TableRelay(TableDescriptor table, Optional<MasterRelay> master) {
    this.table = table;
    this.master = master;
  }

  TableRelay(TableDescriptor table, MasterRelay master) {
    this(table, Optional.of(master));
  }

  /** For a region that publishes no filter: it tells what the table is like, and no more. */
  public static TableRelay withoutMaster(TableDescriptor table) {
    return new TableRelay(table, Optional.empty());
  }

  /** The serialized answer. The caller has made sure that the user may read the table. */
  public ByteString answer(RelayedQuestion question, ByteString request) throws IOException {
    return switch (question) {
      case TABLE ->
          ByteString.copyFrom(TableDescriptorBuilder.toByteArray(TableShape.reduced(table)));
      case ROUTE -> route(request);
      case FILTERS -> filters(request);
    };
  }

  private ByteString route(ByteString request) throws IOException {
    RouteRequest message = parsed(request, RouteRequest.getDefaultInstance());
    String asked = RouteCodec.decodeRequest(message.getRequest().toByteArray()).table();
    requireOwn(asked);
    return master().route(asked, message).toByteString();
  }

  private ByteString filters(ByteString request) throws IOException {
    FiltersRequest message = parsed(request, FiltersRequest.getDefaultInstance());
    requireOwn(message.getTable());
    long bytes = Math.min(message.getMaxBytes(), MOST_FILTER_BYTES);
    return master().filters(message.toBuilder().setMaxBytes(bytes).build()).toByteString();
  }

  private MasterRelay master() throws DoNotRetryIOException {
    return master.orElseThrow(
        () ->
            new DoNotRetryIOException(
                "Cannot ask the master about %s: the region publishes no filter"
                    .formatted(table.getTableName())));
  }

  /** Reads a message that a client has sent. */
  private static <T extends Message> T parsed(ByteString message, T like)
      throws DoNotRetryIOException {
    try {
      return ReceivedMessage.read("a question to the master", message, like);
    } catch (IOException e) {
      throw new DoNotRetryIOException("Cannot read a question to the master: it was damaged", e);
    }
  }

  private void requireOwn(String asked) throws DoNotRetryIOException {
    if (!asked.equals(table.getTableName().getNameAsString())) {
      throw new DoNotRetryIOException(
          "Cannot ask the master about %s: this is a region of %s; ask one of its own"
              .formatted(asked, table.getTableName()));
    }
  }
}
