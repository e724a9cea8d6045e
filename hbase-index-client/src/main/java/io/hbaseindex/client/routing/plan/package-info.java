/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** How a scan is planned: which of its regions can be left out. */
package io.hbaseindex.client.routing.plan;
