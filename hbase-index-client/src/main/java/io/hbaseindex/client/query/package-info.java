/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Asking for rows by the values of their columns: small, typed, and compiled to an ordinary {@code
 * Scan}, so that everything HBase does for scans holds here too.
 */
package io.hbaseindex.client.query;
