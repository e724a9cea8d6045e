/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * What users install, as it is packaged: the two jars, the demo, clusters of separate processes.
 */
package io.hbaseindex.it.packaging;
