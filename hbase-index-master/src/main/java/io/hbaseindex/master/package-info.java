/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What runs in the HBase master. */
package io.hbaseindex.master;
