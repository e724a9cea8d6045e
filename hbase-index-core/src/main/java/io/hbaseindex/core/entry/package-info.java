/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Postings: which row holds which value, and the index row key that says so. */
package io.hbaseindex.core.entry;
