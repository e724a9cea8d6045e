/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * A real HBase mini cluster in the test's own JVM, and the things tests do to its regions and
 * servers.
 */
package io.hbaseindex.it.cluster;
