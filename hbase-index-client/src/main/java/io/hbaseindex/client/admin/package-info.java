/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Creating, dropping, watching, verifying and explaining indexes. */
package io.hbaseindex.client.admin;
