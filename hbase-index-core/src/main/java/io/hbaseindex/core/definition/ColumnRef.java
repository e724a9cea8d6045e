/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.apache.yetus.audience.InterfaceAudience;

/** One column of a table: a family and a qualifier. Immutable. */
@InterfaceAudience.Public
public final class ColumnRef implements Comparable<ColumnRef>, Serializable {
  private static final long serialVersionUID = 1;

  private final byte[] family;
  private final byte[] qualifier;

  private ColumnRef(byte[] family, byte[] qualifier) {
    this.family = family;
    this.qualifier = qualifier;
  }

  /** The column {@code family:qualifier}, both given as UTF-8 text. */
  public static ColumnRef of(String family, String qualifier) {
    return of(family.getBytes(StandardCharsets.UTF_8), qualifier.getBytes(StandardCharsets.UTF_8));
  }

  /** The column {@code family:qualifier}; the qualifier may be empty, the family may not. */
  public static ColumnRef of(byte[] family, byte[] qualifier) {
    if (family.length == 0) {
      throw new DefinitionException(
          "Cannot index a column: its family was empty; name a family of the table");
    }
    if (IndexFamily.is(family)) {
      throw new DefinitionException(
          "Cannot index a column of family "
              + IndexFamily.NAME
              + ": that family holds the index itself; name a family of your own");
    }
    return new ColumnRef(family.clone(), qualifier.clone());
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws DefinitionException if that is not what the text is
   */
  public static ColumnRef parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new DefinitionException(
          "column was \"" + text + "\"; write it as family:qualifier, for example f:email");
    }
    return of(
        PrintableBytes.parse(text.substring(0, colon)),
        PrintableBytes.parse(text.substring(colon + 1)));
  }

  /** The family's name: a fresh copy. */
  public byte[] family() {
    return family.clone();
  }

  /** The qualifier: a fresh copy. */
  public byte[] qualifier() {
    return qualifier.clone();
  }

  /** The family's name as text, for messages and for comparing with descriptors. */
  public String familyName() {
    return new String(family, StandardCharsets.UTF_8);
  }

  /** Whether {@code other} names this column's family. */
  public boolean isInFamily(byte[] other) {
    return Arrays.equals(family, other);
  }

  @Override
  public int compareTo(ColumnRef other) {
    int byFamily = Arrays.compareUnsigned(family, other.family);
    return byFamily != 0 ? byFamily : Arrays.compareUnsigned(qualifier, other.qualifier);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ColumnRef that
        && Arrays.equals(family, that.family)
        && Arrays.equals(qualifier, that.qualifier);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(family), Arrays.hashCode(qualifier));
  }

  /** The column as a definition writes it: {@code f:email}, odd bytes as {@code \xHH}. */
  @Override
  public String toString() {
    return PrintableBytes.print(family) + ':' + PrintableBytes.print(qualifier);
  }
}
