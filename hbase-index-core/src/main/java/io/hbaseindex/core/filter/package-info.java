/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Set membership filters: who may hold a value, and who certainly does not. */
package io.hbaseindex.core.filter;
