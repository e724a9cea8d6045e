/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/** Cuts the text of a condition into words, quoted texts, operators and brackets. */
@InterfaceAudience.Private
public final class ConditionTokens {
  /** Quoted texts are matched possessively: else each of their characters takes some stack. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*+(?:(?<quoted>'(?:[^']|'')*+')|(?<sign>\\^=|>=|<=|!=|<>|[=<>(),])|(?<word>(?:[^\\s'=<>^(),!]|!(?!=))++))");

  private static final Set<String> SIGNS =
      Set.of("^=", ">=", "<=", "!=", "<>", "=", "<", ">", "(", ")", ",");

  /**
   * One piece.
   *
   * @param text what it says, without quotes
   * @param literal whether it was quoted, and so can be nothing but a value
   * @param at where it stands, counted from 1
   */
  record Token(String text, boolean literal, int at) {
    /** Whether it is an operator, a bracket or a comma. */
    boolean isSign() {
      return !literal && SIGNS.contains(text);
    }

    boolean is(String keyword) {
      return !literal && text.equalsIgnoreCase(keyword);
    }
  }

  private ConditionTokens() {}

  /**
   * The pieces in order.
   *
   * @throws IllegalArgumentException if some of the text is no piece, such as a quote left open
   */
  static List<Token> of(String text) {
    return cut(text.stripTrailing());
  }

  /** Looks at each character a few times, however many there are. */
  static List<Token> cut(CharSequence text) {
    List<Token> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (!matcher.region(at, text.length()).lookingAt()) {
        throw new IllegalArgumentException(
            "cannot read \"%s\" at character %d; quote texts with '…', a quote in them as ''"
                .formatted(text.subSequence(at, text.length()).toString().strip(), at + 1));
      }
      String quoted = matcher.group("quoted");
      int start = matcher.end() - matcher.group().stripLeading().length();
      tokens.add(
          quoted == null
              ? new Token(matcher.group().strip(), false, start + 1)
              : new Token(
                  quoted.substring(1, quoted.length() - 1).replace("''", "'"), true, start + 1));
      at = matcher.end();
    }
    return tokens;
  }
}
