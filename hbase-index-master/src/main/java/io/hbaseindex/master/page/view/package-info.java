/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** From what the page shows to its HTML: every text in it is escaped, and it needs no script. */
package io.hbaseindex.master.page.view;
