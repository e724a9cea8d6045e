/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * What a mutation leaves behind: a pure function of the stored versions of a row and its changes,
 * free of HBase types. Writers, builders and checkers use the same one.
 */
package io.hbaseindex.region.write.plan;
