/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Closed filters as bytes, where they are kept, and how they are found again by time. */
package io.hbaseindex.seeds.timecount.store;
