/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What happens to the indexes of a table when things happen to its regions. */
package io.hbaseindex.it.life;
