/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Which postings can answer a condition. */
package io.hbaseindex.region.scan.plan;
