/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Clocks that are passed in, so that time can be simulated. */
package io.hbaseindex.core.time;
