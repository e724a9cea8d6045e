/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The filter of one group of windows, and how far its counts may be wrong. */
package io.hbaseindex.seeds.timecount.filter;
