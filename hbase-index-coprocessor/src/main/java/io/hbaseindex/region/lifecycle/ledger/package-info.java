/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What a region has built, kept in a file beside its stores. */
package io.hbaseindex.region.lifecycle.ledger;
