/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Reaching the active master. */
package io.hbaseindex.common.master;
