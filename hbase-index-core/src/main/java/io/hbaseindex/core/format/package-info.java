/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The envelope around everything that is stored or sent: kind, version, length, checksum. */
package io.hbaseindex.core.format;
