/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Counts the postings of a value straight off the files of the hidden family and its memory. */
package io.hbaseindex.region.scan.count;
