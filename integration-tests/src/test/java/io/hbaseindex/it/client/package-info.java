/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The client on a real cluster: connections whose scans visit only the regions that matter. */
package io.hbaseindex.it.client;
