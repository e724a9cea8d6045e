/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * The life of a region's indexes between open and close: deciding what can be trusted, building
 * what is missing, and dropping what is no longer needed.
 *
 * <p>Read {@link io.hbaseindex.region.lifecycle.RegionLifecycle} first, then {@link
 * io.hbaseindex.region.lifecycle.ledger.RegionLedger} for what is durable and {@link
 * io.hbaseindex.region.lifecycle.IndexBuilder} for how an index comes to be.
 */
package io.hbaseindex.region.lifecycle;
