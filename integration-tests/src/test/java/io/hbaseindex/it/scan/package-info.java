/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Scans that jump, against the same scans with the index switched off. */
package io.hbaseindex.it.scan;
