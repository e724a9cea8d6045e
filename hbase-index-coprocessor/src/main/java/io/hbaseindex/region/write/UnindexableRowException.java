package io.hbaseindex.region.write;

import java.io.IOException;

/**
 * A row that cannot be indexed as it is stored: writes of it are refused, and an index that meets
 * it during a build can never become ready until the row is gone, save for {@link
 * TooManyPostingsException}. Never sent to clients, which could not make an object of it.
 */
public sealed class UnindexableRowException extends IOException permits TooManyPostingsException {
  private static final long serialVersionUID = 1L;

  UnindexableRowException(String message, Throwable cause) {
    super(message, cause);
  }

  UnindexableRowException(String message) {
    super(message);
  }
}
