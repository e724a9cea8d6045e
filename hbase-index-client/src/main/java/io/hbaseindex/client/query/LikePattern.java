/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A pattern of SQL's {@code like}: texts with any text between them, each with any one character in
 * some places. Equal if the texts are.
 *
 * @param text as it was written
 */
record LikePattern(String text) {
  private static final char ANY_TEXT = '%';
  private static final char ANY_CHARACTER = '_';
  private static final char ESCAPE = '\\';

  /**
   * A piece of the pattern that holds no {@code %}.
   *
   * @param regex what it matches
   * @param literal what it says, up to its first {@code _}
   * @param whole whether that is all of it
   */
  private record Piece(String regex, String literal, boolean whole) {}

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if it ends with a backslash
   */
  static LikePattern parse(String text) {
    LikePattern pattern = new LikePattern(text);
    pattern.pieces();
    return pattern;
  }

  /** The simplest condition that says the same. */
  Condition on(Column column) {
    List<Piece> pieces = pieces();
    Piece first = pieces.get(0);
    boolean onlyBeginning =
        pieces.size() > 1 && pieces.stream().skip(1).allMatch(piece -> piece.regex().isEmpty());
    if (first.whole() && pieces.size() == 1) {
      return column.equalTo(first.literal());
    }
    if (first.whole() && onlyBeginning) {
      return first.literal().isEmpty() ? column.isPresent() : column.startsWith(first.literal());
    }
    Condition form = new Condition.Like(column.ref(), text, true);
    return first.literal().isEmpty() ? form : column.startsWith(first.literal()).and(form);
  }

  /**
   * The pattern as a regular expression for whole texts. Each piece in the middle is taken where it
   * is first found, and never elsewhere: that is all it takes, and keeps the time linear.
   */
  String regex() {
    List<Piece> pieces = pieces();
    StringBuilder regex = new StringBuilder("\\A").append(pieces.get(0).regex());
    for (Piece piece : pieces.subList(1, Math.max(1, pieces.size() - 1))) {
      if (!piece.regex().isEmpty()) {
        regex.append("(?>.*?").append(piece.regex()).append(')');
      }
    }
    if (pieces.size() > 1) {
      regex.append(".*").append(pieces.get(pieces.size() - 1).regex());
    }
    return regex.append("\\z").toString();
  }

  private List<Piece> pieces() {
    List<Piece> pieces = new ArrayList<>();
    PieceBuilder piece = new PieceBuilder();
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == ANY_TEXT) {
        pieces.add(piece.build());
        piece = new PieceBuilder();
      } else if (c == ANY_CHARACTER) {
        piece.anyCharacter();
      } else if (c != ESCAPE) {
        piece.add(c);
      } else if (++at < text.length()) {
        piece.add(text.charAt(at));
      } else {
        throw new IllegalArgumentException(
            "Cannot read pattern \"%s\": it ends with a backslash; write two for one".formatted(text));
      }
    }
    pieces.add(piece.build());
    return pieces;
  }

  private static final class PieceBuilder {
    private final StringBuilder regex = new StringBuilder();
    private final StringBuilder literal = new StringBuilder();
    private final StringBuilder run = new StringBuilder();
    private boolean whole = true;

    void add(char c) {
      run.append(c);
      if (whole) {
        literal.append(c);
      }
    }

    void anyCharacter() {
      endRun();
      regex.append('.');
      whole = false;
    }

    private void endRun() {
      if (run.length() > 0) {
        regex.append(Pattern.quote(run.toString()));
        run.setLength(0);
      }
    }

    Piece build() {
      endRun();
      return new Piece(regex.toString(), literal.toString(), whole);
    }
  }
}
