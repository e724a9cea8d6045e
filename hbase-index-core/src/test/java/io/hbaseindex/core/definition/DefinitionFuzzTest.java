/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Any table attributes: the first line is the table's, each further one the name of an index, a
 * blank and its definition. What is read must survive being completed and written.
 */
public class DefinitionFuzzTest {
  public static void fuzzerTestOneInput(byte[] data) {
    String[] lines = new String(data, StandardCharsets.UTF_8).split("\n", -1);
    Map<String, String> attributes = new HashMap<>();
    if (!lines[0].isEmpty()) {
      attributes.put(TableIndexes.TABLE_ATTRIBUTE, lines[0]);
    }
    for (int line = 1; line < lines.length; line++) {
      String[] parts = lines[line].split(" ", 2);
      attributes.put(TableIndexes.INDEX_ATTRIBUTE_PREFIX + parts[0], parts[parts.length - 1]);
    }
    FuzzTarget.run(data, DefinitionException.class, () -> read(attributes));
  }

  private static void read(Map<String, String> attributes) {
    TableIndexes read = TableIndexes.parse(attributes);
    assertSurvives(read);
    TableIndexes complete = read.withAssignedIds(() -> -1);
    assertThat(complete.isComplete()).isTrue();
    assertSurvives(complete);
    complete.definitions().forEach(index -> assertThat(index.id()).isPositive());
  }

  private static void assertSurvives(TableIndexes indexes) {
    TableIndexes again;
    try {
      again = TableIndexes.parse(indexes.toAttributes());
    } catch (DefinitionException e) {
      throw new AssertionError("Cannot read what was written: " + indexes, e);
    }
    assertThat(again).isEqualTo(indexes);
  }

  @Test
  void corpus_isReadOrRefused() {
    FuzzTarget.replay("definition", DefinitionFuzzTest::fuzzerTestOneInput);
  }
}
