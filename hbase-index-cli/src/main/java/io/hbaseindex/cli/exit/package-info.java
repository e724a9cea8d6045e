/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** How a command ends: its exit code, and errors in one line. */
package io.hbaseindex.cli.exit;
