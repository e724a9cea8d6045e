package io.hbaseindex.master;

import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.publish.FilterRegistry;
import io.hbaseindex.core.publish.Push;
import io.hbaseindex.core.publish.PushReply;
import io.hbaseindex.core.publish.RouteAnswer;
import io.hbaseindex.core.wire.PushCodec;
import io.hbaseindex.core.wire.RouteCodec;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.User;

/**
 * Takes in what region servers and clients send, as bytes: who may send it, whether it is whole,
 * what the registry says to it.
 */
final class FilterDesk {
  /** A push holds about a mebibyte and one part of a filter; nothing honest comes near this. */
  private static final int MAX_MESSAGE_BYTES = 8 << 20;

  private final FilterRegistry registry;
  private final MasterAccess access;
  private final MasterMetrics metrics;

  FilterDesk(FilterRegistry registry, MasterAccess access, MasterMetrics metrics) {
    this.registry = registry;
    this.access = access;
    this.metrics = metrics;
  }

  /** Takes in a push and gives the bytes of the answer. */
  byte[] push(Optional<User> sender, byte[] blob) throws IOException {
    try {
      access.requirePublisher(sender);
      requireSize(blob);
      Push push = PushCodec.decodePush(blob);
      PushReply reply = registry.apply(push);
      metrics.pushed(blob.length, push.messages().size());
      return PushCodec.encode(reply);
    } catch (MalformedBlobException e) {
      metrics.refusedPush();
      throw new DoNotRetryIOException(e.getMessage(), e);
    } catch (IOException e) {
      metrics.refusedPush();
      throw e;
    }
  }

  /** Answers a route request. */
  byte[] route(Optional<User> sender, byte[] blob) throws IOException {
    long started = System.nanoTime();
    try {
      requireSize(blob);
      RouteCodec.RouteRequest request = RouteCodec.decodeRequest(blob);
      access.requireReader(sender, TableName.valueOf(request.table()));
      RouteAnswer answer = registry.route(request.table(), request.predicate());
      metrics.routed(System.nanoTime() - started, answer.excluded());
      return RouteCodec.encode(answer);
    } catch (MalformedBlobException e) {
      metrics.refusedRoute();
      throw new DoNotRetryIOException(e.getMessage(), e);
    } catch (IOException e) {
      metrics.refusedRoute();
      throw e;
    }
  }

  private static void requireSize(byte[] blob) throws IOException {
    if (blob.length > MAX_MESSAGE_BYTES) {
      throw new DoNotRetryIOException(
          "Cannot read a message of " + blob.length + " bytes: the limit is " + MAX_MESSAGE_BYTES);
    }
  }
}
