/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The version of the product that a process runs, and how to ask another one for it. */
package io.hbaseindex.common.version;
