/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Spark in this process, over tables of a mini cluster. */
package io.hbaseindex.it.spark;
