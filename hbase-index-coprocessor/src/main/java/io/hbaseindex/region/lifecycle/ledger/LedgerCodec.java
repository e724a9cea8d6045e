/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.format.VarLong;
import io.hbaseindex.region.context.FilterCustody;
import io.hbaseindex.region.lifecycle.ledger.LedgerRecord.Entry;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The bytes of a {@link LedgerRecord}, inside a {@link Blob} of kind {@link
 * BlobKind#REGION_LEDGER}.
 *
 * <pre>
 *   8        incarnation
 *   1        1 = a filter of the region may be trusted, 0 = certainly none is
 *   v        number of indexes, then for each, by rising id
 *     v        index id
 *     v        fingerprint of its definition
 *     8        the latest timestamp of a posting when it began to be built
 *     1        1 = built, 0 = being built
 *     v + n    being built only: first row not known to be indexed (length, bytes)
 *   v        number of store files, then for each, by rising name
 *     v + n    family/name in UTF-8 (length, bytes)
 *   1        1 = a stored filter belongs to these files, 0 = none does
 *   8 + 8    only if one does: its id, and the timestamp that it holds postings up to
 * </pre>
 *
 * <p>Fixed numbers are big-endian, v is a {@link VarLong}.
 */
final class LedgerCodec {

  private static final byte BUILDING = 0;
  private static final byte BUILT = 1;
  private static final byte NOT_TRUSTED = 0;
  private static final byte TRUSTED = 1;
  private static final byte NO_FILTER = 0;
  private static final byte FILTER = 1;

  private LedgerCodec() {}

  static byte[] encode(LedgerRecord record) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    writeLong(body, record.incarnation());
    body.write(record.trusted() ? TRUSTED : NOT_TRUSTED);
    VarLong.write(body, record.indexes().size());
    record
        .indexes()
        .forEach(
            (id, entry) -> {
              VarLong.write(body, id);
              VarLong.write(body, entry.fingerprint());
              writeLong(body, entry.certainAfter());
              body.write(entry.isBuilt() ? BUILT : BUILDING);
              entry.checkpoint().ifPresent(row -> writeBytes(body, row));
            });
    VarLong.write(body, record.files().size());
    for (String file : record.files()) {
      writeBytes(body, file.getBytes(StandardCharsets.UTF_8));
    }
    body.write(record.filter().isPresent() ? FILTER : NO_FILTER);
    record
        .filter()
        .ifPresent(
            held -> {
              writeLong(body, held.id());
              writeLong(body, held.through());
            });
    return Blob.seal(BlobKind.REGION_LEDGER, body.toByteArray());
  }

  /**
   * @throws MalformedBlobException if the bytes are not exactly what {@link #encode} once made
   */
  static LedgerRecord decode(byte[] blob) throws MalformedBlobException {
    LedgerRecord record = Blob.read(BlobKind.REGION_LEDGER, blob, LedgerCodec::readBody);
    // An index or a file that comes twice, for one, would vanish in silence.
    if (!Arrays.equals(encode(record), blob)) {
      throw new MalformedBlobException(
          BlobKind.REGION_LEDGER, "it is not what its content would be written as");
    }
    return record;
  }

  private static LedgerRecord readBody(ByteBuffer body) {
    long incarnation = body.getLong();
    boolean trusted = readTrust(body);
    NavigableMap<Integer, Entry> indexes = new TreeMap<>();
    long indexCount = VarLong.read(body);
    for (long i = 0; i < indexCount; i++) {
      int id = readInt(body);
      int fingerprint = readInt(body);
      long certainAfter = body.getLong();
      byte state = body.get();
      switch (state) {
        case BUILT -> indexes.put(id, Entry.built(fingerprint, certainAfter));
        case BUILDING ->
            indexes.put(id, Entry.building(fingerprint, readBytes(body), certainAfter));
        default -> throw new IllegalArgumentException("state of index " + id + " is " + state);
      }
    }
    NavigableSet<String> files = new TreeSet<>();
    long fileCount = VarLong.read(body);
    for (long i = 0; i < fileCount; i++) {
      files.add(new String(readBytes(body), StandardCharsets.UTF_8));
    }
    return new LedgerRecord(incarnation, trusted, indexes, files, readFilter(body));
  }

  private static Optional<FilterCustody.Held> readFilter(ByteBuffer body) {
    byte filter = body.get();
    return switch (filter) {
      case NO_FILTER -> Optional.empty();
      case FILTER -> Optional.of(new FilterCustody.Held(body.getLong(), body.getLong()));
      default -> throw new IllegalArgumentException("filter is " + filter);
    };
  }

  private static boolean readTrust(ByteBuffer body) {
    byte trust = body.get();
    return switch (trust) {
      case NOT_TRUSTED -> false;
      case TRUSTED -> true;
      default -> throw new IllegalArgumentException("trust is " + trust);
    };
  }

  private static void writeLong(ByteArrayOutputStream body, long number) {
    body.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }

  private static void writeBytes(ByteArrayOutputStream body, byte[] bytes) {
    VarLong.write(body, bytes.length);
    body.writeBytes(bytes);
  }

  private static byte[] readBytes(ByteBuffer body) {
    long length = VarLong.read(body);
    if (length > body.remaining()) {
      throw new IllegalArgumentException(
          length + " bytes announced, " + body.remaining() + " left");
    }
    byte[] bytes = new byte[(int) length];
    body.get(bytes);
    return bytes;
  }

  private static int readInt(ByteBuffer body) {
    long value = VarLong.read(body);
    if (value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("number too large: " + value);
    }
    return (int) value;
  }
}
