/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What happens to the servers, to the network between them, and to the table. */
package io.hbaseindex.it.chaos.fault;
