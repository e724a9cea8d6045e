/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import scala.tools.nsc.Main;

/** The code that docs/guides/SPARK.md shows, in three languages. */
final class SparkPage {
  private static final Path PAGE = Path.of("..", "docs", "guides", "SPARK.md");

  /** On the class path, so that the threads of Spark find what was compiled. */
  private static final Path CLASSES = Path.of("target", "test-classes");

  private static final Pattern BLOCK =
      Pattern.compile("^```(\\w+)\\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern OPTION =
      Pattern.compile("\\.option\\(\"([^\"]*)\", \"([^\"]*)\"\\)");
  private static final Pattern WHERE = Pattern.compile("\\.where\\(\"([^\"]*)\"\\)");
  private static final Pattern SQL = Pattern.compile("\\.sql\\(\"([^\"]*)\"\\)");

  private final String java;
  private final String python;
  private final String scala;

  private SparkPage(String java, String python, String scala) {
    this.java = java;
    this.python = python;
    this.scala = scala;
  }

  /** The first block of each language. */
  static SparkPage read() throws IOException {
    Map<String, String> blocks = new LinkedHashMap<>();
    Matcher matcher = BLOCK.matcher(Files.readString(PAGE));
    while (matcher.find()) {
      blocks.putIfAbsent(matcher.group(1), matcher.group(2));
    }
    return new SparkPage(blocks.get("java"), blocks.get("python"), blocks.get("scala"));
  }

  Map<String, String> javaOptions() {
    return options(java);
  }

  Map<String, String> pythonOptions() {
    return options(python);
  }

  private static Map<String, String> options(String code) {
    Map<String, String> options = new LinkedHashMap<>();
    OPTION.matcher(code).results().forEach(one -> options.put(one.group(1), one.group(2)));
    return options;
  }

  String pythonCondition() {
    return only(WHERE, python);
  }

  String pythonSql() {
    return only(SQL, python);
  }

  private static String only(Pattern pattern, String code) {
    Matcher matcher = pattern.matcher(code);
    if (!matcher.find()) {
      throw new IllegalStateException("Cannot find " + pattern + " in " + code);
    }
    return matcher.group(1);
  }

  /** What follows the declaration of the frame, one statement each. */
  List<String> javaStatements() {
    List<String> statements = new ArrayList<>();
    for (String line : java.substring(java.indexOf(';') + 1).split("\n")) {
      if (!line.isBlank()) {
        statements.add(line.substring(0, line.indexOf(';')));
      }
    }
    return statements;
  }

  /** A class with a method {@code statementN(spark, orders)} for each statement. */
  Class<?> compiledJava() throws Exception {
    StringBuilder source =
        new StringBuilder(
            """
            import static org.apache.spark.sql.functions.desc;
            import org.apache.spark.sql.Dataset;
            import org.apache.spark.sql.Row;
            import org.apache.spark.sql.SparkSession;
            public class GuideJava {
            """);
    List<String> statements = javaStatements();
    for (int i = 0; i < statements.size(); i++) {
      boolean tells = statements.get(i).endsWith(".count()");
      source.append(
          "public static Object statement%d(SparkSession spark, Dataset<Row> orders) {\n%s;\n%s%s;\n%s}\n"
              .formatted(
                  i,
                  java.substring(0, java.indexOf(';')),
                  tells ? "return " : "",
                  statements.get(i),
                  tells ? "" : "return \"\";\n"));
    }
    Path file = Files.writeString(Path.of("target", "GuideJava.java"), source + "}\n");
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                classPath(),
                "-d",
                CLASSES.toString(),
                file.toString());
    if (failed != 0) {
      throw new IllegalStateException("Cannot compile " + source);
    }
    return Class.forName("GuideJava");
  }

  /** A class with a method {@code run(sc)}; the cluster is the one that Spark's settings name. */
  Class<?> compiledScala() throws Exception {
    String code =
        scala.replace(
            "HBaseConfiguration.create()", "HBaseConfiguration.create(sc.hadoopConfiguration)");
    String source =
        "object GuideScala {\ndef run(sc: org.apache.spark.SparkContext): Array[String] = {\n"
            + code
            + "}\n}\n";
    Path file = Files.writeString(Path.of("target", "GuideScala.scala"), source);
    boolean compiled =
        Main.process(
            new String[] {"-classpath", classPath(), "-d", CLASSES.toString(), file.toString()});
    if (!compiled) {
      throw new IllegalStateException("Cannot compile " + source);
    }
    return Class.forName("GuideScala");
  }

  /** Surefire may give the class path by a jar that only names it. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
