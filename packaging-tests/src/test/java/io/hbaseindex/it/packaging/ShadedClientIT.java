/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.slf4j.Log4jLoggerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** What users of hbase-shaded-client are told, with its real jar and ours. */
@Tag("packaging")
class ShadedClientIT {
  @Test
  void applicationWithHBasesShadedClient_isToldWhyNothingIsRouted() throws Exception {
    String classPath =
        Stream.concat(
                Stream.of(
                    Path.of("target", "test-classes"),
                    Path.of("target", "hbase-shaded-client.jar"),
                    PackagedJar.of("hbase-index-shaded-client").path()),
                // What that jar leaves to its users, and what shows them the log.
                Stream.of(
                        Logger.class,
                        Span.class,
                        Context.class,
                        Log4jLoggerFactory.class,
                        Level.class,
                        LoggerContext.class)
                    .map(ShadedClientIT::jarOf))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-Dlog4j2.level=WARN",
                    "-cp",
                    classPath,
                    ShadedClientProgram.class.getName()))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    assertThat(output)
        .contains(
            "No scan of this connection is routed: HBase's client here has its protobuf relocated")
        .contains("Unrouted: SHADED_CLIENT")
        .contains(
            "Cannot administrate indexes: HBase's client here has its protobuf relocated, as in hbase-shaded-client, and cannot call hbase-index's endpoints; put hbase-client on the class path instead");
  }

  private static Path jarOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
