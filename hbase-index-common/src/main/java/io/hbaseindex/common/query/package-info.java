/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Reads out of an ordinary {@code Scan} what it says about column values, and whether an index may
 * be used for it at all, and what filters can be asked for it. Clients and servers share this code,
 * so that they never disagree.
 */
package io.hbaseindex.common.query;
