/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What the write path, the read path, publishing and the lifecycle of one region share. */
package io.hbaseindex.region.context;
