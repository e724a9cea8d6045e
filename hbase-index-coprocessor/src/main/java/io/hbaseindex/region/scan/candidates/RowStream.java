/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Candidate row keys in ascending order, read forward only.
 *
 * <p>A stream promises to leave no candidate out; it may name rows that are none. Each call does a
 * bounded amount of work, so that a scan stays within HBase's time limits: a stream that has worked
 * through its share without meeting a candidate names the row it has reached, below which there is
 * none.
 */
@InterfaceAudience.Private
public interface RowStream {

  /**
   * The first candidate at or after {@code from}, or a row at or after {@code from} below which
   * there is no candidate; null if there is none left. {@code from} never decreases from call to
   * call.
   */
  byte[] seek(byte[] from) throws IOException;

  /**
   * Whether postings prove that {@code row}, the last row returned, is what this stream looks for,
   * so that the row need not be read to know.
   *
   * @param certain takes postings that say so for certain, also where they do not suffice
   */
  boolean answersFor(byte[] row, Consumer<CertainPosting> certain);

  /**
   * Names the postings that made {@code row}, the last row returned, a candidate.
   *
   * @param postings takes their index row keys
   */
  void postingsOf(byte[] row, Consumer<byte[]> postings);
}
