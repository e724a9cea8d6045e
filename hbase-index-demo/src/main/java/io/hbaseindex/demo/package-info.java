/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * The demo: a cluster in one process, a table of people, and questions that are asked with the
 * index and without.
 */
package io.hbaseindex.demo;
