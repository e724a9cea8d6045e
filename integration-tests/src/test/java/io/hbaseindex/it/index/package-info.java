/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * The product on a real cluster: what its users see of an index, and what can be read off its
 * counters.
 */
package io.hbaseindex.it.index;
