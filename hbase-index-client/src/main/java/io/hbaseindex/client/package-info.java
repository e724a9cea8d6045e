/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What an HBase client needs to declare and to use indexes. */
package io.hbaseindex.client;
