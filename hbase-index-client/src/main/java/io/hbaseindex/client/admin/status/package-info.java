/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** How indexes are doing, region by region, and how far long work has come. */
package io.hbaseindex.client.admin.status;
