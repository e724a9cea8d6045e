/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The candidate rows of one scan and the scanners over postings that it keeps open.
 *
 * @param complete whether the streams represent the whole plan; false if a range had to be left out
 */
@InterfaceAudience.Private
public record Candidates(RowStream rows, List<PostingCursor> open, boolean complete)
    implements Closeable {

  @Override
  public void close() throws IOException {
    CloseAll.close(open);
  }
}
