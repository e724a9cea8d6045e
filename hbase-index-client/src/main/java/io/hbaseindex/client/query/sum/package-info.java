/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What a column of the rows of a query adds up to. */
package io.hbaseindex.client.query.sum;
