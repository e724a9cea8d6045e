/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.testing.GoldenFile;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PageTokenTest {
  private static final Column CITY = Column.of("f", "city");
  private static final IndexQuery QUERY = IndexQuery.from("t").where(CITY.equalTo("Graz"));
  private static final PageToken TOKEN = new PageToken(40, Bytes.toBytes("row 40"));

  @Test
  void token_isWrittenAndReadAsEver() {
    String golden = GoldenFile.text("page-token", TOKEN.encode(QUERY) + "\n").strip();

    PageToken read = PageToken.decode(QUERY, golden);
    assertThat(read.rowsBefore()).isEqualTo(40);
    assertThat(read.lastRow()).isEqualTo(TOKEN.lastRow());
  }

  @Test
  void decode_tokenOfAnotherQuery_isRefused() {
    String token = TOKEN.encode(QUERY);
    List<IndexQuery> others =
        List.of(
            IndexQuery.from("u").where(CITY.equalTo("Graz")),
            IndexQuery.from("t").where(CITY.equalTo("Linz")),
            IndexQuery.from("t").where(CITY.startsWith("Graz")),
            QUERY.select(CITY),
            QUERY.limit(100));

    for (IndexQuery other : others) {
      assertThatThrownBy(() -> PageToken.decode(other, token))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("it belongs to another query");
    }
  }

  @Test
  void decode_anyChangedOrMissingByte_isRefused() {
    byte[] token = Base64.getUrlDecoder().decode(TOKEN.encode(QUERY));
    for (int i = 0; i < token.length; i++) {
      byte[] changed = token.clone();
      changed[i] ^= 4;
      refused(Base64.getUrlEncoder().withoutPadding().encodeToString(changed));
      refused(Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(token, i)));
    }
    refused("not base 64 ä");
    refused("");
  }

  @Test
  void decode_countBelowZero_isRefused() {
    refused(new PageToken(-1, TOKEN.lastRow()).encode(QUERY));
  }

  private static void refused(String token) {
    assertThatThrownBy(() -> PageToken.decode(QUERY, token))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it is damaged or none of ours");
  }
}
