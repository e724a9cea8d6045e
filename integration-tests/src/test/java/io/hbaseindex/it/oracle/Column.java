/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.core.definition.ColumnRef;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A column of the oracle's table and what is written into it. */
enum Column {
  EMAIL("f", "email", Content.TEXT),
  CITY("f", "city", Content.TEXT),
  COUNT("f", "count", Content.COUNTER),
  TRAIL("f", "trail", Content.APPENDED),
  /**
   * Of partial indexes only: queries on it alone never jump, and index columns must work beside it.
   */
  NOTE("f", "note", Content.TEXT),
  /** Three versions are kept, so deletes and old timestamps bring old values back. */
  TAG("g", "tag", Content.TEXT),
  /** Of no index, but of the conditions of some. */
  STATE("g", "state", Content.TEXT),
  /** Indexed lazily. */
  MOOD("g", "mood", Content.TEXT),
  /** Values of this family expire while the test runs. */
  SESSION("t", "session", Content.TEXT);

  /** What kind of values a column holds. */
  enum Content {
    TEXT,
    /** Eight-byte numbers, so that Increment applies. */
    COUNTER,
    /** Short texts that Append makes longer. */
    APPENDED
  }

  private final byte[] family;
  private final byte[] qualifier;
  private final Content content;

  Column(String family, String qualifier, Content content) {
    this.family = family.getBytes(StandardCharsets.UTF_8);
    this.qualifier = qualifier.getBytes(StandardCharsets.UTF_8);
    this.content = content;
  }

  /** The column that an index speaks of. */
  static Column of(ColumnRef reference) {
    return Arrays.stream(values())
        .filter(column -> column.toString().equals(reference.toString()))
        .findFirst()
        .orElseThrow();
  }

  byte[] family() {
    return family.clone();
  }

  byte[] qualifier() {
    return qualifier.clone();
  }

  Content content() {
    return content;
  }

  boolean indexed() {
    return this != NOTE && this != STATE;
  }

  /** Whether its index is eager and its values last, so that postings can answer for their rows. */
  boolean certain() {
    return indexed() && this != MOOD && this != SESSION;
  }

  /** Whether HBase keeps one version, so that a filter on any version sees the latest only. */
  boolean singleVersion() {
    return family[0] != 'g';
  }

  @Override
  public String toString() {
    return new String(family, StandardCharsets.UTF_8)
        + ":"
        + new String(qualifier, StandardCharsets.UTF_8);
  }
}
