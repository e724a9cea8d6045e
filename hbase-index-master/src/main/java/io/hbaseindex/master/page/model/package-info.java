/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What the page shows, as plain values: bounded in number, free of HBase types. */
package io.hbaseindex.master.page.model;
