/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** A data source of Spark SQL: conditions, figures and orders go to the indexes of HBase tables. */
package io.hbaseindex.spark;
