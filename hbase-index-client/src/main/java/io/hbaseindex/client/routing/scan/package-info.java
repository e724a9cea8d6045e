/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** How a planned scan is read: its pieces side by side, the results in row order. */
package io.hbaseindex.client.routing.scan;
