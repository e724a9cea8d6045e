/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Queries by column values, run on a real cluster. */
package io.hbaseindex.it.query;
