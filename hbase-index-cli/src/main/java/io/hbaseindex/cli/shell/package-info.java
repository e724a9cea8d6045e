/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Where the lines of an interactive shell come from, and how they are cut into words. */
package io.hbaseindex.cli.shell;
