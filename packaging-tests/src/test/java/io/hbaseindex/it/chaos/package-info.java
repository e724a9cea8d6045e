/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * A cluster of separate processes that is broken in every way we know, while clients write and
 * read: {@code bin/chaos}.
 */
package io.hbaseindex.it.chaos;
