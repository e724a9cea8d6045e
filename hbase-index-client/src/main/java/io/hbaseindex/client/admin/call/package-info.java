/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Calls to the index service of regions. */
package io.hbaseindex.client.admin.call;
