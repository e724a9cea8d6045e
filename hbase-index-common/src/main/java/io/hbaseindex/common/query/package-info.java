/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Reads out of an ordinary {@code Scan} what it says about column values, and whether an index may
 * be used for it at all. Client and region server share this code, so that they never disagree.
 */
package io.hbaseindex.common.query;
