/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/** Cuts a line into the words of a command. */
@InterfaceAudience.Private
public final class ShellLine {
  /** Possessive where it can be: else long lines take much stack. */
  private static final Pattern WORD = Pattern.compile("\\s*+(?:\"([^\"]*+)\"|'([^']*+)'|(\\S++))");

  private static final Pattern WITH_CONDITION =
      Pattern.compile(
          "\\s*(query|explain)\\s+(.*?)\\s+where\\s+(.*)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private ShellLine() {}

  /**
   * The words: quotes hold one together, of either kind. All that follows "where" in a query is its
   * condition, as it stands.
   */
  public static List<String> words(String line) {
    Matcher query = WITH_CONDITION.matcher(line);
    if (!query.matches()) {
      return split(line);
    }
    List<String> words = new ArrayList<>(List.of(query.group(1)));
    words.addAll(split(query.group(2)));
    words.addAll(List.of("-w", query.group(3).strip()));
    return words;
  }

  private static List<String> split(String text) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(text.strip());
    while (word.lookingAt()) {
      for (int group = 1; group <= word.groupCount(); group++) {
        if (word.group(group) != null) {
          words.add(word.group(group));
        }
      }
      word.region(word.end(), text.strip().length());
    }
    return words;
  }
}
