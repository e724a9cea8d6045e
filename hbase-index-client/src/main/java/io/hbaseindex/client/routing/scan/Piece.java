/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/** One part of a scan, being read. Used by one thread at a time. */
interface Piece {
  /** The next result, or null if there are no more. */
  Result next() throws IOException;

  /** Keeps the server's scanner alive, if there is one. */
  boolean renewLease();

  /** What HBase counts for this part, or null if it does not. */
  ScanMetrics metrics();

  /** Ends the reading, also of what is under way. */
  void close();

  /** Starts to read parts of scans. */
  interface Opener {
    /**
     * Starts to read a part.
     *
     * @param ahead whether the part is not the one that is read next, so that its first results
     *     should be fetched meanwhile
     */
    Piece open(Scan part, boolean ahead) throws IOException;

    /** No further part is opened. */
    default void close() {}
  }

  /** A part that is read when it is asked for, by HBase's own scanner. */
  record Direct(ResultScanner scanner) implements Piece {
    @Override
    public Result next() throws IOException {
      return scanner.next();
    }

    @Override
    public boolean renewLease() {
      return scanner.renewLease();
    }

    @Override
    public ScanMetrics metrics() {
      return scanner.getScanMetrics();
    }

    @Override
    public void close() {
      scanner.close();
    }
  }
}
