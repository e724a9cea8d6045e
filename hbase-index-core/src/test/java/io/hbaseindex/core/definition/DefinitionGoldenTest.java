/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.testing.GoldenFile;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The attributes in which a table's descriptor carries its indexes, character by character. */
class DefinitionGoldenTest {
  @Test
  void attributes_areWrittenAndReadAsEver() {
    TableIndexes indexes =
        TableIndexes.none()
            .with(
                IndexDefinition.on("f", "email").named("by_email").eager(),
                () -> -0x63e0f1885d4cb2fbL)
            .with(
                IndexDefinition.on("f", "country").and("g", "city").named("by-place.2").lazy(),
                () -> 0)
            .with(
                IndexDefinition.on(new byte[] {'f', 0}, new byte[] {',', '+', ':', '=', '\\', -1})
                    .and("f", "")
                    .named("odd")
                    .eager(),
                () -> 0)
            .without("by_email");

    String golden = GoldenFile.text("table-attributes", text(indexes.toAttributes()));

    assertThat(TableIndexes.parse(attributes(golden))).isEqualTo(indexes);
  }

  @Test
  void includedColumns_areWrittenAndReadAsEver() {
    TableIndexes indexes =
        TableIndexes.none()
            .with(
                IndexDefinition.on("f", "city").including("f:name", "g:a\\x20b").named("n").eager(),
                () -> 5);

    String golden = GoldenFile.text("included-columns", text(indexes.toAttributes()));

    assertThat(TableIndexes.parse(attributes(golden))).isEqualTo(indexes);
  }

  @Test
  void times_areWrittenAndReadAsEver() {
    TableIndexes indexes =
        TableIndexes.none()
            .with(
                IndexDefinition.on("f", "status")
                    .withTimes()
                    .where("f:country=AT")
                    .named("n")
                    .eager(),
                () -> 5)
            .with(
                IndexDefinition.on("f", "city").including("f:name").withTimes().named("o").eager(),
                () -> 0);

    String golden = GoldenFile.text("kept-times", text(indexes.toAttributes()));

    assertThat(TableIndexes.parse(attributes(golden))).isEqualTo(indexes);
  }

  @Test
  void types_areWrittenAndReadAsEver() {
    TableIndexes indexes =
        TableIndexes.none()
            .with(
                IndexDefinition.on("f", "age")
                    .as(ValueType.LONG)
                    .and("f", "city")
                    .and("f", "price")
                    .as(ValueType.ORDERED_DECIMAL)
                    .named("n")
                    .eager(),
                () -> 5);

    String golden = GoldenFile.text("typed-columns", text(indexes.toAttributes()));

    assertThat(TableIndexes.parse(attributes(golden))).isEqualTo(indexes);
  }

  @Test
  void noRanges_isWrittenAndReadAsEver() {
    TableIndexes indexes =
        TableIndexes.none()
            .with(IndexDefinition.on("f", "email").noRanges().named("n").lazy(), () -> 5);

    String golden = GoldenFile.text("no-ranges", text(indexes.toAttributes()));

    assertThat(TableIndexes.parse(attributes(golden))).isEqualTo(indexes);
    assertThat(indexes.byName("n").orElseThrow().routesRanges()).isFalse();
    assertThatThrownBy(
            () -> TableIndexes.parse(attributes(golden.replace("ranges=no", "ranges=some"))))
        .hasMessageContaining("ranges was \"some\"; write yes or no");
  }

  @Test
  void conditions_areWrittenAndReadAsEver() {
    TableIndexes indexes =
        TableIndexes.none()
            .with(
                IndexDefinition.on("f", "city")
                    .where("f:status=open|new g:a\\x3Cb f:age>=\\x00\\x12<\\x80|\\xFF f:name^=Gr")
                    .named("n")
                    .eager(),
                () -> 5);

    String golden = GoldenFile.text("partial-index", text(indexes.toAttributes()));

    assertThat(TableIndexes.parse(attributes(golden))).isEqualTo(indexes);
  }

  private static String text(Map<String, String> attributes) {
    return new TreeMap<>(attributes)
        .entrySet().stream()
            .map(attribute -> attribute.getKey() + " = " + attribute.getValue() + "\n")
            .collect(Collectors.joining());
  }

  private static Map<String, String> attributes(String text) {
    Map<String, String> attributes = new LinkedHashMap<>();
    for (String line : text.split("\n")) {
      String[] parts = line.split(" = ", 2);
      attributes.put(parts[0], parts[1]);
    }
    return attributes;
  }
}
