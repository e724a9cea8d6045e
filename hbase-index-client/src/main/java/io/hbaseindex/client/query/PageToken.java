/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Where a query that is read in pages has come to. Holds nothing of any process: the last row's
 * key, how many rows were given out, and which query it is for.
 *
 * <pre>
 *   ┌──────────────────────┬──────────┬───────────────┐
 *   │ query fingerprint 16 │ rows 4   │ last row's key │  sealed as a blob, in URL-safe base 64
 *   └──────────────────────┴──────────┴───────────────┘
 * </pre>
 *
 * <p>In place of the key, a token of a query with an order has the place of the last row ({@link
 * OrderedRows#encode}).
 *
 * <p>The fingerprint is the head of the SHA-256 of the query: its table, filters, columns, limit
 * and, where it has them, bounds and order. The token is no secret and no permission: whoever may
 * run the query may go on from any row.
 */
record PageToken(int rowsBefore, byte[] lastRow) {
  private static final int FINGERPRINT_LENGTH = 16;

  String encode(IndexQuery query) {
    ByteBuffer body = ByteBuffer.allocate(FINGERPRINT_LENGTH + Integer.BYTES + lastRow.length);
    body.put(fingerprint(query)).putInt(rowsBefore).put(lastRow);
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Blob.seal(BlobKind.PAGE_TOKEN, body.array()));
  }

  /**
   * Reads a token of this query.
   *
   * @throws IllegalArgumentException if it is damaged, or another query's
   */
  static PageToken decode(IndexQuery query, String text) {
    byte[] fingerprint = new byte[FINGERPRINT_LENGTH];
    PageToken token;
    try {
      token =
          Blob.read(
              BlobKind.PAGE_TOKEN,
              Base64.getUrlDecoder().decode(text),
              body -> {
                body.get(fingerprint);
                int rows = body.getInt();
                if (rows < 0) {
                  throw new IllegalArgumentException("it counts " + rows + " rows");
                }
                byte[] row = new byte[body.remaining()];
                body.get(row);
                return new PageToken(rows, row);
              });
    } catch (MalformedBlobException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "Cannot go on from page token \"%.40s\": it is damaged or none of ours (%s); use the text of Page.next unchanged"
              .formatted(text, e.getMessage()),
          e);
    }
    if (!Arrays.equals(fingerprint, fingerprint(query))) {
      throw new IllegalArgumentException(
          "Cannot go on from page token \"%.40s\": it belongs to another query than %s; start that one without a token"
              .formatted(text, query));
    }
    return token;
  }

  private static byte[] fingerprint(IndexQuery query) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      add(digest, query.table().getName());
      Scan scan = query.toExplainedScan();
      add(digest, scan.getFilter().toByteArray());
      add(digest, query.projection().toString().getBytes(StandardCharsets.UTF_8));
      add(digest, Bytes.toBytes(query.limit()));
      if (query.order().isPresent()) {
        add(digest, query.order().get().toString().getBytes(StandardCharsets.UTF_8));
      }
      if (query.isBounded()) {
        add(digest, scan.getStartRow());
        add(digest, scan.getStopRow());
        add(digest, Bytes.toBytes(scan.getTimeRange().getMin()));
        add(digest, Bytes.toBytes(scan.getTimeRange().getMax()));
      }
      return Arrays.copyOf(digest.digest(), FINGERPRINT_LENGTH);
    } catch (NoSuchAlgorithmException | IOException e) {
      throw new IllegalStateException("Cannot take the fingerprint of query " + query, e);
    }
  }

  /** Lengths keep two parts from being taken for one. */
  private static void add(MessageDigest digest, byte[] part) {
    digest.update(Bytes.toBytes(part.length));
    digest.update(part);
  }
}
