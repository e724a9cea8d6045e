/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Apache Drill in a process of its own. */
package io.hbaseindex.it.drill.process;
