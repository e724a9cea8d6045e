/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The first rows of a region in the order of a column: found by postings, and kept. */
package io.hbaseindex.region.scan.order;
