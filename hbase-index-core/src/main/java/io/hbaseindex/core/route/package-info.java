/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Questions about where values are, and their answers: predicates on filters, key ranges, copies
 * of filters, and the one decision whether a region may be left out.
 */
package io.hbaseindex.core.route;
