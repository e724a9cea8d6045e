/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import java.util.concurrent.CompletableFuture;
import org.apache.yetus.audience.InterfaceAudience;

/** Answers what a router asks the master for. Answers may come on any thread. */
@InterfaceAudience.Private
public interface RouteSource {
  /** Asks; an answer that is not to be had is an error of the future, never of this call. */
  <T> CompletableFuture<T> ask(RouteQuestion<T> question);
}
