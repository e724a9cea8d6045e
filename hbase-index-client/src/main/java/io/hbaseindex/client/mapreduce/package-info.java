/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Jobs that read only the regions that can hold what they look for. */
package io.hbaseindex.client.mapreduce;
