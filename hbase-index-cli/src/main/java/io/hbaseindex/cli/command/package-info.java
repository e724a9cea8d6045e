/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The commands, each with its options. */
package io.hbaseindex.cli.command;
