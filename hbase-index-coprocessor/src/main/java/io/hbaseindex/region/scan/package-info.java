/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * The read path: an ordinary scan is made to jump from candidate row to candidate row.
 *
 * <p>In the order in which a scan meets them: {@link io.hbaseindex.region.scan.IndexedScans} decides whether
 * the scan may jump; {@link io.hbaseindex.region.scan.plan.AccessPlanner} chooses indexes; {@link
 * io.hbaseindex.region.scan.candidates.CandidateOpener} turns the plan into {@link
 * io.hbaseindex.region.scan.candidates.RowStream}s of candidate rows; {@link
 * io.hbaseindex.region.scan.JumpingScanner} drives HBase's own scanner along them, which goes on
 * evaluating the user's filter, limits and all. {@link io.hbaseindex.region.scan.CutOff} says when
 * jumping no longer pays.
 */
package io.hbaseindex.region.scan;
