package io.hbaseindex.region.scan;

/** An access would exceed what a scan may read or hold before its first row. */
final class TooManyCandidatesException extends Exception {
  private static final long serialVersionUID = 1L;

  TooManyCandidatesException(String message) {
    super(message, null, false, false);
  }
}
