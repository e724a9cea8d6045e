/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What single scans did in a region, kept for a while for clients that ask. */
package io.hbaseindex.region.scan.trace;
