/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Rules that hold for the sources of all modules. They need neither a cluster nor a jar. */
package io.hbaseindex.it.structure;
