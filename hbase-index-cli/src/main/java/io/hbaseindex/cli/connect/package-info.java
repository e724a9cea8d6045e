/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Which cluster to talk to, and connecting to it. */
package io.hbaseindex.cli.connect;
