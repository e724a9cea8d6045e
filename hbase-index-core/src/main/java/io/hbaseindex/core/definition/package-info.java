/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What is indexed: index definitions and how a table descriptor carries them. */
package io.hbaseindex.core.definition;
