/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.version;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A question for the version of the product, in the form of a filter. It needs nothing but a region
 * of any table: a region server that is sent a scan looks for the class of its filter by name. One
 * that has this class refuses the scan with its version; one that has not refuses it for want of
 * the class. No row is read either way.
 */
@InterfaceAudience.Private
public final class VersionProbe extends FilterBase {
  private static final String MARK = "hbase-index version ";
  private static final Pattern ANSWER = Pattern.compile(Pattern.quote(MARK) + "<([^>]*)>");
  private static final int MOST_CAUSES = 20;

  /** The version of this process; "unpackaged" if its classes come from no jar. */
  public static String version() {
    return Optional.ofNullable(VersionProbe.class.getPackage().getImplementationVersion())
        .orElse("unpackaged");
  }

  @Override
  public byte[] toByteArray() {
    return new byte[0];
  }

  /**
   * Called by the server, by name.
   *
   * @throws DeserializationException always; it carries the answer
   */
  public static VersionProbe parseFrom(byte[] bytes) throws DeserializationException {
    throw new DeserializationException(MARK + "<" + version() + ">");
  }

  /** The version in a server's refusal; empty if there is none in it. */
  public static Optional<String> versionIn(Throwable refusal) {
    Throwable cause = refusal;
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      Matcher answer = ANSWER.matcher(String.valueOf(cause.getMessage()));
      if (answer.find()) {
        return Optional.of(answer.group(1));
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  /** Whether a server has refused a filter because it does not have its class. */
  public static boolean isClassMissing(Throwable refusal, String filterClass) {
    Throwable cause = refusal;
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      if (String.valueOf(cause.getMessage()).contains("ClassNotFoundException: " + filterClass)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
