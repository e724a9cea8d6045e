/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What one scan did: where it was sent, and what each region did for it. */
package io.hbaseindex.client.admin.explain;
