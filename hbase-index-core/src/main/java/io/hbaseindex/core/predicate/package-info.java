/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * What a query says about the values of a row's columns, free of any HBase type: client and region
 * server read it out of a scan's filter by the same code and decide by it what may be skipped.
 */
package io.hbaseindex.core.predicate;
