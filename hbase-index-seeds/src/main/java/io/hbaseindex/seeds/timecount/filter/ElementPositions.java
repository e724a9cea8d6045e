/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where one element lives in every filter of a history: computed once, used for all windows.
 *
 * @param bits its positions in the bit vectors
 * @param counters its positions in the counting vectors, each once
 */
@InterfaceAudience.Private
public record ElementPositions(int[] bits, int[] counters) {}
