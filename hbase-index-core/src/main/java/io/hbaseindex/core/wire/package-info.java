/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The messages between region servers, master and clients as bytes. */
package io.hbaseindex.core.wire;
