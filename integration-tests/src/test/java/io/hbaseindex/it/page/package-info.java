/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The page in the master's web UI, over HTTP and in a browser. */
package io.hbaseindex.it.page;
