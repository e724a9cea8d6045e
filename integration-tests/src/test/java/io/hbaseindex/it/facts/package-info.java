/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Behaviour of HBase that the design stands on, pinned so that an upgrade which changes it fails
 * loudly.
 */
package io.hbaseindex.it.facts;
