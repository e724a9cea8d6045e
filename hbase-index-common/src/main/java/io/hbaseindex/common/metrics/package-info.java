/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** How the servers name what they count, and where they show it. */
package io.hbaseindex.common.metrics;
