/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

/** Where the bits of one segment are kept. Belongs to the updater. */
interface Place {
  void set(long position);

  void clear(long position);

  /** The bits of the cells from {@code 64 * index} on, lowest first. */
  long word(int index);

  /** Gives the cells from {@code 64 * index} on these bits, whatever they were. */
  void write(int index, long word);
}
