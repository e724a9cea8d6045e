/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IndexRowKeysTest {
  // Changing these changes the format: existing indexes would not be found again.
  private static final String INCARNATION = "f1eadf96";
  private static final String LONG_HASH = "9e287515ac3c6fcd82c6f406a05aff2b";

  private static final byte[] NAME = bytes("1588230740");
  private static final IndexRowKeys KEYS =
      IndexRowKeys.ofRegion(bytes("m"), bytes("p00"), NAME).orElseThrow();

  @Test
  void key_singleValue_isTheDocumentedLayout() {
    assertThat(hex(KEYS.key(7, List.of(bytes("a\0b")), bytes("row1"))))
        .isEqualTo("6e" + INCARNATION + "07" + "6100ff62" + "0001" + "726f7731");
  }

  @Test
  void key_compositeWithAbsentColumn_isTheDocumentedLayout() {
    assertThat(hex(KEYS.key(258, Arrays.asList(bytes("x"), null, new byte[0]), bytes("r"))))
        .isEqualTo("6e" + INCARNATION + "80000102" + "780001" + "0000" + "0001" + "72");
  }

  @Test
  void key_longValue_isPrefixAndHash() {
    byte[] value = bytes("v".repeat(513));

    assertThat(hex(KEYS.key(1, List.of(value), bytes("r"))))
        .isEqualTo("6e" + INCARNATION + "01" + "76".repeat(512) + "0002" + LONG_HASH + "72");
  }

  @Test
  void regionPrefix_isAnchorAndIncarnation() {
    assertThat(hex(KEYS.regionPrefix())).isEqualTo("6e" + INCARNATION);
    assertThat(Long.toHexString(IndexRowKeys.incarnationOf(NAME))).isEqualTo("f1eadf9607238909");
  }

  @Test
  void indexId_shortAndLong_areReadBackAndNoneBeginsAnother() {
    int[] ids = {1, 2, 127, 128, 255, 256, 1 << 24, Integer.MAX_VALUE};
    for (int id : ids) {
      byte[] key = KEYS.key(id, List.of(bytes("v")), bytes("r"));
      assertThat(KEYS.indexIdOf(key, 0, key.length)).isEqualTo(id);
      assertThat(KEYS.parse(key, 1).row()).isEqualTo(bytes("r"));
      for (int other : ids) {
        assertThat(KEYS.ofIndex(other).contains(key)).isEqualTo(other == id);
      }
    }
  }

  @Test
  void isOwn_cutBeforeOrInsideTheIndexId_isNot() {
    byte[] key = KEYS.key(128, List.of(bytes("v")), bytes("r"));
    int idAt = KEYS.regionPrefix().length;
    for (int length = 0; length < idAt + 4; length++) {
      assertThat(KEYS.isOwn(key, 0, length)).isFalse();
    }
    assertThat(KEYS.isOwn(key, 0, idAt + 4)).isTrue();
  }

  @Test
  void ofRegion_anyBoundsWithRoom_keepsEveryKeyInside() {
    Random random = new Random(20240607);
    int withRoom = 0;
    for (int run = 0; run < 20_000; run++) {
      byte[] start = smallBytes(random, 3);
      byte[] end = smallBytes(random, 5);
      if (end.length > 0 && Arrays.compareUnsigned(start, end) >= 0) {
        continue;
      }
      Optional<IndexRowKeys> keys = IndexRowKeys.ofRegion(start, end, NAME);
      if (keys.isEmpty()) {
        assertThat(Arrays.copyOf(start, end.length)).isEqualTo(end);
        continue;
      }
      withRoom++;
      byte[] key = keys.get().key(1 + random.nextInt(1000), List.of(smallBytes(random, 4)), start);
      assertThat(Arrays.compareUnsigned(key, start)).isPositive();
      assertThat(end.length == 0 || Arrays.compareUnsigned(key, end) < 0).isTrue();
    }
    assertThat(withRoom).isGreaterThan(5_000);
  }

  @Test
  void ofRegion_endIsStartPlusZeros_hasNoRoom() {
    assertThat(IndexRowKeys.ofRegion(bytes("a"), bytes("a\0\0"), NAME)).isEmpty();
    assertThat(IndexRowKeys.ofRegion(new byte[0], new byte[1], NAME)).isEmpty();
    assertThat(IndexRowKeys.ofRegion(new byte[0], new byte[0], NAME)).isPresent();
  }

  @Test
  void ofRegion_otherEncodedName_isAnotherKeySpace() {
    IndexRowKeys daughter =
        IndexRowKeys.ofRegion(bytes("m"), bytes("p00"), bytes("2")).orElseThrow();
    byte[] key = KEYS.key(1, List.of(bytes("v")), bytes("r"));

    assertThat(KEYS.isOwn(key, 0, key.length)).isTrue();
    assertThat(daughter.isOwn(key, 0, key.length)).isFalse();
    assertThat(daughter.all().contains(key)).isFalse();
    assertThatThrownBy(() -> daughter.parse(key, 1))
        .isInstanceOf(MalformedPostingException.class)
        .hasMessageContaining("does not begin with this region's prefix");
  }

  @Test
  void keys_ofRandomValues_sortAsTheValuesAndReadBack() {
    Random random = new Random(7);
    List<List<byte[]>> tuples = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      byte[] second = random.nextInt(4) == 0 ? null : smallBytes(random, 3);
      tuples.add(Arrays.asList(smallBytes(random, 3), second));
    }
    for (List<byte[]> a : tuples) {
      byte[] keyA = KEYS.key(3, a, bytes("r"));
      assertThat(KEYS.indexIdOf(keyA, 0, keyA.length)).isEqualTo(3);
      assertThat(keyA.length - KEYS.dataRowOffset(keyA, 0, keyA.length, 2)).isEqualTo(1);
      Posting posting = KEYS.parse(keyA, 2);
      assertThat(posting.row()).isEqualTo(bytes("r"));
      assertThat(posting.values().get(0)).isEqualTo(a.get(0));
      assertThat(posting.values().get(1)).isEqualTo(a.get(1));
      for (List<byte[]> b : tuples) {
        int keys = Arrays.compareUnsigned(keyA, KEYS.key(3, b, bytes("r")));
        assertThat(Integer.signum(keys)).isEqualTo(Integer.signum(compare(a, b)));
      }
    }
  }

  @Test
  void ranges_randomBounds_holdExactlyTheValuesInside() {
    Random random = new Random(11);
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      values.add(smallBytes(random, 4));
    }
    List<byte[]> leading = List.of(bytes("lead"));
    for (int run = 0; run < 3_000; run++) {
      byte[] low = smallBytes(random, 4);
      byte[] high = smallBytes(random, 4);
      boolean lowIn = random.nextBoolean();
      boolean highIn = random.nextBoolean();
      boolean hasLow = random.nextInt(5) > 0;
      boolean hasHigh = random.nextInt(5) > 0;
      KeyRange between =
          KEYS.between(
              5,
              leading,
              hasLow ? Optional.of(new ValueBound(low, lowIn)) : Optional.empty(),
              hasHigh ? Optional.of(new ValueBound(high, highIn)) : Optional.empty());
      for (byte[] value : values) {
        byte[] key = KEYS.key(5, List.of(leading.get(0), value), smallBytes(random, 3));
        int toLow = Arrays.compareUnsigned(value, low);
        int toHigh = Arrays.compareUnsigned(value, high);
        boolean inside =
            (!hasLow || toLow > 0 || lowIn && toLow == 0)
                && (!hasHigh || toHigh < 0 || highIn && toHigh == 0);
        assertThat(between.contains(key)).isEqualTo(inside);
      }
      byte[] absent = KEYS.key(5, Arrays.asList(leading.get(0), null), bytes("r"));
      assertThat(between.contains(absent)).isFalse();
      assertThat(KEYS.equalTo(5, leading).contains(absent)).isTrue();
    }
  }

  @Test
  void ranges_longValues_neverLeaveOutAValueInside() {
    byte[] shared = bytes("s".repeat(512));
    List<byte[]> values = new ArrayList<>(List.of(shared, bytes("s".repeat(511)), bytes("t")));
    Random random = new Random(13);
    for (int i = 0; i < 40; i++) {
      byte[] value = Arrays.copyOf(shared, 513 + random.nextInt(4));
      value[512] = (byte) random.nextInt(4);
      values.add(value);
    }
    for (byte[] low : values) {
      for (byte[] high : values) {
        KeyRange range =
            KEYS.between(
                1,
                List.of(),
                Optional.of(ValueBound.exclusive(low)),
                Optional.of(ValueBound.exclusive(high)));
        for (byte[] value : values) {
          boolean inside =
              Arrays.compareUnsigned(value, low) > 0 && Arrays.compareUnsigned(value, high) < 0;
          if (inside) {
            assertThat(range.contains(KEYS.key(1, List.of(value), bytes("r")))).isTrue();
          }
        }
      }
    }
  }

  @Test
  void equalTo_longValues_tellsThemApartByHash() {
    byte[] one = bytes("s".repeat(512) + "1");
    byte[] two = bytes("s".repeat(512) + "2");

    KeyRange range = KEYS.equalTo(1, List.of(one));

    assertThat(range.contains(KEYS.key(1, List.of(one), bytes("r")))).isTrue();
    assertThat(range.contains(KEYS.key(1, List.of(two), bytes("r")))).isFalse();
  }

  @Test
  void parse_longValue_givesItsBeginning() {
    byte[] key = KEYS.key(1, List.of(bytes("s".repeat(600))), bytes("r"));

    assertThat(KEYS.parse(key, 1).values().get(0)).isEqualTo(bytes("s".repeat(512)));
    assertThat(KEYS.parse(key, 1).row()).isEqualTo(bytes("r"));
  }

  @Test
  void P13_key_beyondTheRowKeyLimit_isRefused() {
    byte[] row = new byte[IndexRowKeys.MAX_ROW_KEY_LENGTH - 8];

    assertThat(KEYS.key(1, List.of(new byte[0]), row)).hasSize(IndexRowKeys.MAX_ROW_KEY_LENGTH);
    assertThatThrownBy(() -> KEYS.key(1, List.of(bytes("v")), row))
        .isInstanceOf(KeyTooLongException.class)
        .hasMessage(
            "index row key would be 32768 bytes long (row key 32759, region prefix 5); HBase"
                + " allows 32767");
  }

  @Test
  void parse_truncatedAnywhereInTheValues_isRefused() {
    byte[] key = KEYS.key(1, List.of(bytes("va"), bytes("v".repeat(600))), bytes(""));
    for (int length = 0; length < key.length; length++) {
      byte[] cut = Arrays.copyOf(key, length);
      assertThatThrownBy(() -> KEYS.parse(cut, 2)).isInstanceOf(MalformedPostingException.class);
    }
    assertThat(KEYS.parse(key, 2).row()).isEmpty();
  }

  @Test
  void parse_unknownEnding_isRefused() {
    byte[] key = KEYS.key(1, List.of(bytes("v")), bytes("r"));
    key[key.length - 2] = 0x55;

    assertThatThrownBy(() -> KEYS.parse(key, 1)).hasMessageContaining("00 is followed by 55");
  }

  @Test
  void state_bothStates_areTheDocumentedBytes() {
    assertThat(PostingState.LIVE.code()).isEqualTo((byte) 0x11);
    assertThat(PostingState.DEAD.code()).isEqualTo((byte) 0x10);
    assertThat(PostingState.parse(new byte[] {0x7F, 0x11}, 1, 1)).isEqualTo(PostingState.LIVE);
    assertThat(PostingState.parse(new byte[] {0x10}, 0, 1)).isEqualTo(PostingState.DEAD);
  }

  @Test
  void state_otherBytes_areRefused() {
    assertThatThrownBy(() -> PostingState.parse(new byte[] {0x21}, 0, 1))
        .hasMessageContaining("the first was 21");
    assertThatThrownBy(() -> PostingState.parse(new byte[0], 0, 0))
        .hasMessageContaining("it had 0 bytes");
  }

  private static int compare(List<byte[]> a, List<byte[]> b) {
    int first = Arrays.compareUnsigned(a.get(0), b.get(0));
    if (first != 0) {
      return first;
    }
    if (a.get(1) == null || b.get(1) == null) {
      return Boolean.compare(a.get(1) != null, b.get(1) != null);
    }
    return Arrays.compareUnsigned(a.get(1), b.get(1));
  }

  /** Bytes from an alphabet in which escapes, endings and their neighbours are frequent. */
  private static byte[] smallBytes(Random random, int maxLength) {
    byte[] alphabet = {0, 0, 1, 2, 3, (byte) 0xFF, 'a'};
    byte[] bytes = new byte[random.nextInt(maxLength + 1)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return bytes;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
