/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import io.hbaseindex.core.filter.SizeClass;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Some consecutive words of one segment's bits. Words that no piece carries are zero. The array is
 * owned by the piece: nobody writes it.
 *
 * @param segment the segment's id
 * @param sizeClass the segment's shape
 * @param firstWord index of the first word carried
 * @param words the words
 */
@InterfaceAudience.Private
public record SegmentPiece(int segment, SizeClass sizeClass, int firstWord, long[] words) {}
