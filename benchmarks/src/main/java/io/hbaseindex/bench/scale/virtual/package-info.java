/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Virtual time, what is waited for in it, and the real processor time that it passes by. */
package io.hbaseindex.bench.scale.virtual;
