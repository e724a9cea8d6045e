/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.guide;

import java.util.List;
import java.util.regex.Pattern;

/** Compares what a page shows with what was printed, but for what differs from run to run. */
final class Printed {
  private static final String ANY_LINES = "…";
  private static final Pattern SERVER = Pattern.compile("\\b[\\w.-]+:\\d{4,5}\\b");
  private static final Pattern REGION = Pattern.compile("\\b[0-9a-f]{32}\\b");
  private static final Pattern TIME = Pattern.compile("\\b\\d+(\\.\\d+)? ms\\b");

  /** How far long work is, which is told every few seconds and so on a busy machine only. */
  private static final Pattern PROGRESS =
      Pattern.compile("^(alter|build|verify|repair|rebuild): \\d.*");

  private static final Pattern SPACES = Pattern.compile(" +");

  private Printed() {}

  /** Whether these lines are those of the page, where {@code …} stands for any number of lines. */
  static boolean matches(List<String> page, List<String> printed) {
    return same(page, printed.stream().filter(line -> !PROGRESS.matcher(line).matches()).toList());
  }

  private static boolean same(List<String> page, List<String> printed) {
    if (page.isEmpty()) {
      return printed.isEmpty();
    }
    if (page.get(0).equals(ANY_LINES)) {
      List<String> rest = page.subList(1, page.size());
      for (int from = 0; from <= printed.size(); from++) {
        if (same(rest, printed.subList(from, printed.size()))) {
          return true;
        }
      }
      return false;
    }
    return !printed.isEmpty()
        && steady(page.get(0)).equals(steady(printed.get(0)))
        && same(page.subList(1, page.size()), printed.subList(1, printed.size()));
  }

  private static String steady(String line) {
    String steady = SERVER.matcher(line).replaceAll("server");
    steady = REGION.matcher(steady).replaceAll("region");
    steady = TIME.matcher(steady).replaceAll("time");
    return SPACES.matcher(steady).replaceAll(" ").strip();
  }
}
