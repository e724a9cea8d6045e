/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The holder's side of publishing: which filters are trusted, and the routes they give. */
package io.hbaseindex.core.registry;
