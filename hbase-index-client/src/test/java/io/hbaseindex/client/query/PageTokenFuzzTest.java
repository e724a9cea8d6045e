/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.testing.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/**
 * Page tokens: any text, and any body that is sealed and carries the fingerprint of its query. A
 * token that is read names a place in the query.
 */
public class PageTokenFuzzTest {
  private static final int FINGERPRINT_LENGTH = 16;
  private static final IndexQuery QUERY =
      IndexQuery.from("t").where(Column.of("f", "city").equalTo("Graz"));
  private static final byte[] FINGERPRINT = fingerprint();

  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    FuzzTarget.run(data, IllegalArgumentException.class, () -> read(text));
    byte[] body = Arrays.copyOf(FINGERPRINT, FINGERPRINT_LENGTH + data.length);
    System.arraycopy(data, 0, body, FINGERPRINT_LENGTH, data.length);
    String sealed =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(Blob.seal(BlobKind.PAGE_TOKEN, body));
    FuzzTarget.run(data, IllegalArgumentException.class, () -> read(sealed));
  }

  private static void read(String text) {
    PageToken token = PageToken.decode(QUERY, text);
    assertThat(token.rowsBefore()).isNotNegative();
    PageToken again = PageToken.decode(QUERY, token.encode(QUERY));
    // Field by field: a recursive comparison allocates kilobytes for each byte of the row.
    assertThat(again.rowsBefore()).isEqualTo(token.rowsBefore());
    assertThat(Arrays.equals(again.lastRow(), token.lastRow())).isTrue();
  }

  private static byte[] fingerprint() {
    byte[] token = Base64.getUrlDecoder().decode(new PageToken(1, new byte[0]).encode(QUERY));
    return Arrays.copyOfRange(token, FINGERPRINT_LENGTH, 2 * FINGERPRINT_LENGTH);
  }

  @Test
  void corpus_isReadOrRefused() {
    FuzzTarget.replay("page-token", PageTokenFuzzTest::fuzzerTestOneInput);
  }
}
