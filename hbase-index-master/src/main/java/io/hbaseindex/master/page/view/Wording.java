/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RowRange;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.hadoop.hbase.util.Bytes;

/** Numbers, keys and reasons as the page spells them; whatever is long is cut. */
final class Wording {
  private static final int LONGEST_KEY = 40;
  private static final int LONGEST_NAME = 160;
  private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

  private Wording() {}

  static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%,.0f", perSecond);
  }

  static String share(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** A reason in small letters, as in "slow master". */
  static String reason(OpenReason reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** What a reason means for whoever looks at the page. */
  static String meaning(OpenReason reason) {
    return switch (reason) {
      case NOT_READY -> "no complete filter yet: just opened, or an index is being built";
      case PUBLISHING -> "its filter is on the way";
      case SLOW_MASTER -> "the master did not confirm a write in time";
      case TOO_MANY_CHANGES -> "changes came faster than they could be sent";
      case OVER_BUDGET -> "the memory for filters is used up";
      case MALFORMED -> "the master could not read what it was sent; see its log";
      case LOST -> "the master lacks what the region server sent before";
      case FENCED -> "a newer region holds its keys";
      case NEW_MASTER -> "another master has become active";
      case SUSPENDED -> "its filter is built anew, for example after a bulk load";
      case CLOSING -> "it is closing";
      case LAPSED -> "nothing was heard of it for a while";
      case YOUNG_MASTER -> "the master has just become active";
      case UNCERTAIN_MASTER -> "the master is not certain to be the active one";
      case UNCONFIRMED_CLOCK -> "clocks of master and region servers disagree";
      case NOT_COVERED -> "the index asked for is not complete here";
      case ABSENT -> "nobody has announced it: in transition, not published, or without the jar";
    };
  }

  static String range(RowRange range) {
    return "from %s to %s"
        .formatted(
            range.start().length == 0 ? "the first key" : key(range.start()),
            range.end().length == 0 ? "the last" : key(range.end()));
  }

  /** A row key, printable and cut. */
  static String key(byte[] key) {
    String text = Bytes.toStringBinary(key, 0, Math.min(key.length, LONGEST_KEY));
    return key.length > LONGEST_KEY || text.length() > LONGEST_KEY
        ? text.substring(0, Math.min(text.length(), LONGEST_KEY)) + "…"
        : text;
  }

  /** A name of any length, cut. */
  static String name(String name) {
    return name.codePointCount(0, name.length()) > LONGEST_NAME
        ? name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME)) + "…"
        : name;
  }

  /** A value of a link's query. */
  static String inLink(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
