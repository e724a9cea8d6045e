/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The write path on a real region: postings beside the data, whatever is written and however. */
package io.hbaseindex.it.write;
