/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * How publishing and routing behave on clusters larger than a machine: the deployed publishers and
 * registries in virtual time, and what they take of memory and time when they are filled.
 */
package io.hbaseindex.bench.scale;
