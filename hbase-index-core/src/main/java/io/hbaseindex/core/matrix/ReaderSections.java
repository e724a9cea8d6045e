/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

/**
 * The sections in which readers use a matrix. One updater can wait for readers, who never wait for
 * it: when {@link #awaitReaders} returns, every section that was open at its call has been left.
 */
interface ReaderSections {
  /**
   * Opens a section. Never blocks.
   *
   * @return the ticket to leave the section with
   */
  int enter();

  /** Leaves the section of this ticket. Never blocks. */
  void exit(int ticket);

  /**
   * Waits until all sections that are open now have been left; sections opened later are not waited
   * for, and see everything written before this call. One caller at a time, and never from within a
   * section: it would wait for itself.
   */
  void awaitReaders();
}
