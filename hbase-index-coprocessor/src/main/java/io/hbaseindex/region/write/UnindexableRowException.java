package io.hbaseindex.region.write;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A row that cannot be indexed whatever is tried: writes of it are refused, and an index that meets
 * it during a build can never become ready until the row is gone.
 */
public final class UnindexableRowException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  UnindexableRowException(String message, Throwable cause) {
    super(message, cause);
  }

  UnindexableRowException(String message) {
    super(message);
  }
}
