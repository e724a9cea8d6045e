/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * What the index did, counted: per region for the status call, per table and per server for the
 * metric registries of HBase.
 */
package io.hbaseindex.region.metrics;
