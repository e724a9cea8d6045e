/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * What happens to the index of a region between its opening and its closing: what may be trusted,
 * building what is missing, and dropping what is no longer needed.
 *
 * <p>Read {@link io.hbaseindex.region.lifecycle.RegionLifecycle} first, then {@link
 * io.hbaseindex.region.lifecycle.ledger.RegionLedger} for what is durable and {@link
 * io.hbaseindex.region.lifecycle.IndexBuilder} for how an index comes to be.
 */
package io.hbaseindex.region.lifecycle;
