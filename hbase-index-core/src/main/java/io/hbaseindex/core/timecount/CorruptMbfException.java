package io.hbaseindex.core.timecount;

import java.io.IOException;

/** A stored filter is not what was written: cut short, altered, or written by something else. */
public final class CorruptMbfException extends IOException {
  private static final long serialVersionUID = 1L;

  CorruptMbfException(MbfId id, String problem) {
    super("Cannot read stored filter " + id + ": " + problem);
  }
}
