/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * The region's remote procedures: status, checks, repairs, explanations, and questions relayed to
 * the master.
 */
package io.hbaseindex.region.endpoint;
