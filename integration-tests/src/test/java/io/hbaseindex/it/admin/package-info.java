/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Creating, watching and mending indexes through the admin API. */
package io.hbaseindex.it.admin;
