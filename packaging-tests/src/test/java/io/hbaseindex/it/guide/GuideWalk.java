/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Somebody who types the commands of a guide into one shell, in the directory of the release. Each
 * has to end well and to print what the page says.
 */
public final class GuideWalk {
  private static final Duration HANG_LIMIT = Duration.ofMinutes(8);

  /** A scan that meets a busy server begins anew, and its figures then count both beginnings. */
  private static final String EXPLAIN = "bin/hbase-index explain";

  private static final int EXPLAINED_TIMES = 3;

  private static final Pattern CREATED = Pattern.compile("^bin/hbase-index create (\\S+)");

  /** People need some seconds to read on, which filters have to reach the master. */
  private static final String AWAIT_FILTERS =
      """
      await_filters() {
        local i
        for ((i = 0; i < 60; i++)); do
          [[ "$(bin/hbase-index status "$1" 2>/dev/null)" == *open:* ]] || return 0
          sleep 0.5
        done
      }
      """;

  private final Path release;
  private final Map<String, String> environment;

  /**
   * @param release where the release was unpacked
   * @param environment all variables of the shell
   */
  public GuideWalk(Path release, Map<String, String> environment) {
    this.release = release;
    this.environment = Map.copyOf(environment);
  }

  /** Goes through a page of {@code docs/guides}, which shows what goes to standard output. */
  public void through(String page, Path scratch) throws Exception {
    walk("guides/" + page, "2>%s/err", scratch);
  }

  /** Goes through a page of {@code docs} that shows what a terminal shows, errors too. */
  public void throughTerminal(String page, Path scratch) throws Exception {
    walk(page, "2>&1 3>%s/err", scratch);
  }

  private void walk(String page, String errors, Path scratch) throws Exception {
    Guide guide = Guide.read(release.resolve("docs").resolve(page));
    for (Map.Entry<String, String> file : guide.files().entrySet()) {
      Files.writeString(release.resolve(file.getKey()), file.getValue());
    }
    assertThat(guide.commands()).as("commands in %s", page).isNotEmpty();
    Path steps = Files.createTempDirectory(scratch, "steps");
    type(guide.commands(), errors, steps);
    for (int i = 0; i < guide.commands().size(); i++) {
      check(page, guide.commands().get(i), steps.resolve("" + i));
    }
  }

  private void type(List<Guide.Command> commands, String errors, Path steps) throws Exception {
    StringBuilder script = new StringBuilder(AWAIT_FILTERS);
    for (int i = 0; i < commands.size(); i++) {
      Path step = Files.createDirectory(steps.resolve("" + i));
      for (int time = 0; time < times(commands.get(i)); time++) {
        script.append(
            "{\n%s\n} >%s/out%d %s </dev/null; code=$?; echo $code >%s/code; [[ $code == 0 ]] || exit\n"
                .formatted(commands.get(i).text(), step, time, errors.formatted(step), step));
      }
      Matcher created = CREATED.matcher(commands.get(i).text());
      if (created.find()) {
        script.append("await_filters ").append(created.group(1)).append('\n');
      }
    }
    // Not as an argument: those are at the mercy of the locale that the tests run with.
    Path typed = Files.writeString(steps.resolve("script"), script);
    ProcessBuilder builder =
        new ProcessBuilder("bash", typed.toString()).directory(release.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Path said = steps.resolve("said");
    Process shell = builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    if (!shell.waitFor(HANG_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
      throw new IOException("Cannot wait longer for the commands of a guide; see " + steps);
    }
  }

  private static int times(Guide.Command command) {
    return command.text().startsWith(EXPLAIN) ? EXPLAINED_TIMES : 1;
  }

  private static void check(String page, Guide.Command command, Path step) throws IOException {
    String about = "%s: %s".formatted(page, command.text());
    List<List<String>> printed = new ArrayList<>();
    StringBuilder all = new StringBuilder();
    for (int time = 0; time < times(command); time++) {
      Path out = step.resolve("out" + time);
      if (Files.exists(out)) {
        printed.add(Files.readAllLines(out));
        all.append(Files.readString(out));
      }
    }
    all.append(Files.readString(step.resolve("err")));
    assertThat(Files.readString(step.resolve("code")).strip())
        .as("%s\n%s", about, all)
        .isEqualTo("0");
    if (!command.printed().isEmpty()) {
      assertThat(printed)
          .as(
              "%s\nprints by the page:\n%s\nprinted:\n%s",
              about, String.join("\n", command.printed()), all)
          .anyMatch(lines -> Printed.matches(command.printed(), lines));
    }
  }
}
