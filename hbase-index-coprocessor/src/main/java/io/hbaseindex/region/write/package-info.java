/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** From a batch of mutations to the postings that go into the same batch. */
package io.hbaseindex.region.write;
