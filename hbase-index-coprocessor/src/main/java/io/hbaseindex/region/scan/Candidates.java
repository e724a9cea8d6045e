package io.hbaseindex.region.scan;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * The candidate rows of one scan and the open readers behind them.
 *
 * @param complete whether the streams represent the whole plan; false if a range had to be left out
 */
record Candidates(RowStream rows, List<PostingCursor> readers, boolean complete)
    implements Closeable {

  @Override
  public void close() throws IOException {
    CloseAll.close(readers);
  }
}
