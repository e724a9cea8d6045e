/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The split counting filters beside other libraries' filters. */
package io.hbaseindex.bench.filter;
