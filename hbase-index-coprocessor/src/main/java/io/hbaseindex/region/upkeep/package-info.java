/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The threads that read, store and build the filters of a server, and the order they go by. */
package io.hbaseindex.region.upkeep;
