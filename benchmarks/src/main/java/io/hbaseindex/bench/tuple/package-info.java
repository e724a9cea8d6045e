/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The tuple filters at equal memory: workloads, errors by theory and measurement, and speed. */
package io.hbaseindex.bench.tuple;
