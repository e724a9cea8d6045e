/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Keeps the master's filters true: the publishers of the regions, the registry of the master and
 * the messages between them, as state machines without threads, sockets or clocks of their own.
 *
 * <p>{@code docs/PROTOCOL.md} tells the whole protocol and why it never excludes an acknowledged
 * write.
 */
package io.hbaseindex.core.publish;
