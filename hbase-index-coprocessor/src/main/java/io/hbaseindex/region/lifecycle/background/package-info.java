/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Paced work on a few threads per region server. */
package io.hbaseindex.region.lifecycle.background;
