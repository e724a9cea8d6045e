/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.guide;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;

/**
 * The commands {@code hbase} and {@code hadoop} as an installation has them: they run the classes
 * that they are given, HBase's and Hadoop's own, on the class path that the servers of the cluster
 * run on. HBase's shell is not to be had from Maven's repositories, so {@code hbase shell} carries
 * out its statements by {@link ShellStatements}.
 */
public final class HBaseInstallation {
  private static final String LOGGING =
      """
      <Configuration status="ERROR">
        <Appenders>
          <Console name="console" target="SYSTEM_ERR"><PatternLayout pattern="%p %c{1}: %m%n"/></Console>
        </Appenders>
        <Loggers><Root level="WARN"><AppenderRef ref="console"/></Root></Loggers>
      </Configuration>
      """;

  private static final String SCRIPT =
      """
      #!/usr/bin/env bash
      class_path="${HBASE_CLASSPATH:+$HBASE_CLASSPATH:}%1$s:$(cat %2$s)"
      run() {
        exec java -Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --add-opens=java.base/java.lang=ALL-UNNAMED \\
          --add-opens=java.base/java.nio=ALL-UNNAMED -cp "$class_path" "$@"
      }
      case "$(basename "$0") $1" in
        'hadoop fs') shift; run org.apache.hadoop.fs.FsShell "$@" ;;
        'hbase classpath') echo "$class_path" ;;
        'hbase shell') class_path+=:%3$s; run %4$s ;;
        hbase*) run "$@" ;;
        *) echo "Cannot run $0 $*: nothing is known of it here" >&2; exit 1 ;;
      esac
      """;

  private HBaseInstallation() {}

  /**
   * Makes the commands in a directory, to be put on the PATH.
   *
   * @param conf how servers and tools of HBase, not applications, reach the cluster
   * @param hadoop the directory with the settings of Hadoop
   * @param classPath the file with the class path of its servers
   */
  public static Path make(Path directory, Configuration conf, Path hadoop, Path classPath)
      throws IOException {
    Path settings = Files.createDirectory(directory.resolve("conf"));
    Configuration own = new Configuration(conf);
    own.unset(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY); // that is Hadoop's to say
    try (OutputStream site = Files.newOutputStream(settings.resolve("hbase-site.xml"))) {
      own.writeXml(site);
    }
    Files.writeString(settings.resolve("log4j2.xml"), LOGGING);
    Path bin = Files.createDirectory(directory.resolve("bin"));
    String statements =
        Path.of(ShellStatements.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .toString();
    String script =
        SCRIPT.formatted(
            settings + ":" + hadoop, classPath, statements, ShellStatements.class.getName());
    for (String name : new String[] {"hbase", "hadoop"}) {
      Path command = Files.writeString(bin.resolve(name), script);
      if (!command.toFile().setExecutable(true)) {
        throw new IOException("Cannot make " + command + " executable");
      }
    }
    return bin;
  }
}
