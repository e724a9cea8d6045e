/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Candidate rows in row order, read from postings. */
package io.hbaseindex.region.scan.candidates;
