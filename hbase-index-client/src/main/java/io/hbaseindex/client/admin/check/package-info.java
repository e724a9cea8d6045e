/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Comparing all rows of a table with all postings, and mending what differs. */
package io.hbaseindex.client.admin.check;
