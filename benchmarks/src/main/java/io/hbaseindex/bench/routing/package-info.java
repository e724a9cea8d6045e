/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Asking many filters at once beside asking each in turn. */
package io.hbaseindex.bench.routing;
