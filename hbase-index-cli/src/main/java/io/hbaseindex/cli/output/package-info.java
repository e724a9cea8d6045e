/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What commands print: lines, tables, JSON and progress. */
package io.hbaseindex.cli.output;
