/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The guides in docs/guides, walked through command by command. */
package io.hbaseindex.it.guide;
