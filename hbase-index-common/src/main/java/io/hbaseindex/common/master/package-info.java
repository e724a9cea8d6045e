/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Reaching the active master, and reading messages that others have sent. */
package io.hbaseindex.common.master;
