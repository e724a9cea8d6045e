/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Memory outside of the Java heap, bounded and accounted for, that filters are kept in. */
package io.hbaseindex.core.memory;
