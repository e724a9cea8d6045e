package io.hbaseindex.region.write;

import java.io.IOException;

/**
 * A row that cannot be indexed whatever is tried: writes of it are refused, and an index that meets
 * it during a build can never become ready until the row is gone. Never sent to clients, which
 * could not make an object of it.
 */
public final class UnindexableRowException extends IOException {
  private static final long serialVersionUID = 1L;

  UnindexableRowException(String message, Throwable cause) {
    super(message, cause);
  }

  UnindexableRowException(String message) {
    super(message);
  }
}
