/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class ScaleCommandTest {
  private final StringWriter errors = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--servers=0|--servers was 0; it must be positive",
        "--batches=-1|--batches was -1; it must not be negative",
        "--values=5 --batch-values=6|--batch-values was 6; it must be at most --values, which was"
            + " 5",
        "--holders=2 --simulated-holders=3|it must be at most --holders, which was 2",
        "--preset=nonsense|Cannot simulate preset nonsense: known are busy-100x50,",
        "--preset=busy-100x50 --servers=0|--servers was 0",
        "--seconds=soon|'soon' is not a double"
      })
  void call_badInput_saysWhatIsWrong(String options, String message) {
    assertThat(execute(options.split(" "))).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains(message);
  }

  @Test
  void call_fileThatCannotBeWritten_isToldBeforeTheWork() {
    assertThat(execute("--csv=/nowhere/at/all.csv")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains("Cannot write --csv /nowhere/at/all.csv");
  }

  @ParameterizedTest
  @EnumSource(ScalePreset.class)
  void preset_isListedInTheHelpAndParses(ScalePreset preset) {
    ScaleSettings settings = new ScaleSettings();
    new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(settings))
        .parseArgs(preset.arguments().toArray(String[]::new));
    settings.check();

    assertThat(new CommandLine(new ScaleCommand()).getUsageMessage()).contains(preset.label());
  }

  private int execute(String... options) {
    return new CommandLine(new ScaleCommand())
        .setErr(new PrintWriter(errors, true))
        .execute(withDocs(options));
  }

  private static String[] withDocs(String... options) {
    String[] all = java.util.Arrays.copyOf(options, options.length + 1);
    all[options.length] = "--docs=docs";
    return all;
  }
}
