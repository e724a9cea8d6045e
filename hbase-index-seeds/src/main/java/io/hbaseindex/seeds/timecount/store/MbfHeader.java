/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import java.nio.ByteBuffer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The first part of a stored filter: what the table needs to know without reading the rest.
 *
 * <p>Body of {@link BlobKind#TIME_FILTER_HEADER}:
 *
 * <pre>
 *   int64 hash seed
 *   int32 window capacity │ int32 windows per filter
 *   int32 counters │ int32 counter hashes │ int32 bits │ int32 bit hashes
 *   int64 first group │ int64 last group
 *   int64 first time │ int64 last time
 *   int32 windows │ int64 events │ int32 bytes of the second part
 * </pre>
 */
@InterfaceAudience.Private
public record MbfHeader(
    MbfId id,
    MbfParameters parameters,
    long seed,
    TimeSpan span,
    int windows,
    long events,
    int contentBytes) {

  private static final int BODY_BYTES = 6 * Long.BYTES + 8 * Integer.BYTES;

  /** Length of a header, sealed. */
  static final int BYTES = BODY_BYTES + Blob.overhead();

  /** Bytes of the whole filter, this header included. */
  public long storedBytes() {
    return (long) BYTES + contentBytes;
  }

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(BODY_BYTES);
    out.putLong(seed);
    out.putInt(parameters.windowCapacity()).putInt(parameters.windowsPerFilter());
    out.putInt(parameters.counters()).putInt(parameters.counterHashes());
    out.putInt(parameters.bits()).putInt(parameters.bitHashes());
    out.putLong(id.first()).putLong(id.last());
    out.putLong(span.first()).putLong(span.last());
    out.putInt(windows).putLong(events).putInt(contentBytes);
    return Blob.seal(BlobKind.TIME_FILTER_HEADER, out.array());
  }

  static MbfHeader decode(byte[] blob) throws MalformedBlobException {
    return Blob.read(BlobKind.TIME_FILTER_HEADER, blob, MbfHeader::decodeBody);
  }

  private static MbfHeader decodeBody(ByteBuffer in) {
    long seed = in.getLong();
    MbfParameters parameters =
        new MbfParameters(
            in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getInt());
    MbfId id = new MbfId(in.getLong(), in.getLong());
    TimeSpan span = new TimeSpan(in.getLong(), in.getLong());
    int windows = in.getInt();
    long events = in.getLong();
    int contentBytes = in.getInt();
    if (windows < 1 || windows > MbfParameters.MAX_WINDOWS || events < 0) {
      throw new IllegalArgumentException("it has " + windows + " windows, " + events + " events");
    }
    if (contentBytes < 0 || contentBytes > MbfParameters.MAX_FILTER_BYTES) {
      throw new IllegalArgumentException("its second part has " + contentBytes + " bytes");
    }
    return new MbfHeader(id, parameters, seed, span, windows, events, contentBytes);
  }
}
