/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * The region server's side of publishing: the filter of a region, the log of its changes, and the
 * publisher that says when a write may be acknowledged, as state machines without threads, sockets
 * or clocks of their own.
 *
 * <p>{@code docs/PROTOCOL.md} tells the whole protocol and why it never excludes an acknowledged
 * write.
 */
package io.hbaseindex.core.publish;
