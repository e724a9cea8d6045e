/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Whether every server of a cluster has what indexes need. */
package io.hbaseindex.client.admin.doctor;
