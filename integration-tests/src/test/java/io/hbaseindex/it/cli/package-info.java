/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The command line against a real cluster, in this process. */
package io.hbaseindex.it.cli;
