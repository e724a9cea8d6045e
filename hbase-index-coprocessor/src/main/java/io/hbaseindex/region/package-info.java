/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The region observer: hooks, and what one region knows about its indexes. */
package io.hbaseindex.region;
