/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Checks and repairs of a region's indexes, and the service through which clients ask for them. */
package io.hbaseindex.region.check;
