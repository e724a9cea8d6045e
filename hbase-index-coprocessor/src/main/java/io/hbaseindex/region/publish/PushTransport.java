package io.hbaseindex.region.publish;

import io.hbaseindex.core.publish.Push;
import io.hbaseindex.core.publish.PushReply;
import java.util.concurrent.CompletableFuture;

/** Carries a push to the active master; never blocks its caller. */
interface PushTransport extends AutoCloseable {
  CompletableFuture<PushReply> send(Push push);

  @Override
  void close();
}
