/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The write path: from a batch of mutations to the postings that go into the same batch. */
package io.hbaseindex.region.write;
