/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The command line: every command is a few lines over the client's API. */
package io.hbaseindex.cli;
