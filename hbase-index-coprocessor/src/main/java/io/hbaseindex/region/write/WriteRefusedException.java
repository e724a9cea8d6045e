package io.hbaseindex.region.write;

import io.hbaseindex.region.metrics.WriteRefusal;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/** A write that would leave the index wrong; the message says what to do instead. */
public final class WriteRefusedException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  private final WriteRefusal reason;

  WriteRefusedException(WriteRefusal reason, String message) {
    super(message);
    this.reason = reason;
  }

  public WriteRefusal reason() {
    return reason;
  }
}
