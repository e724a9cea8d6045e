/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kind of blob has a golden file, and docs/FORMAT.md names all golden files there are. */
class GoldenFilesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern NAMED = Pattern.compile("`([a-z-]+)\\.golden`");

  @ParameterizedTest
  @EnumSource
  void everyKindOfBlob_isInAGoldenFile(BlobKind kind) throws IOException {
    byte[] magic = Arrays.copyOf(Blob.seal(kind, new byte[0]), 4);

    assertThat(golden().values())
        .as("golden files with a blob of kind %s", kind)
        .anyMatch(content -> beginsABlob(content, magic));
  }

  @Test
  void everyGoldenFile_isNamedInTheDocumentation() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/FORMAT.md"));

    assertThat(NAMED.matcher(page).results().map(match -> name(match)))
        .containsExactlyInAnyOrderElementsOf(golden().keySet());
  }

  private static String name(MatchResult match) {
    return match.group(1);
  }

  private static boolean beginsABlob(String content, byte[] magic) {
    String inHex = HexFormat.of().formatHex(magic);
    if (content.replace("\n", "").contains(inHex)) {
      return true;
    }
    try {
      byte[] decoded = Base64.getUrlDecoder().decode(content.strip());
      return Arrays.equals(Arrays.copyOf(decoded, magic.length), magic);
    } catch (IllegalArgumentException noBase64) {
      return false;
    }
  }

  /** The content of the golden files of all modules, by name. */
  private static Map<String, String> golden() throws IOException {
    Map<String, String> golden = new TreeMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path directory : modules.map(m -> m.resolve("src/test/resources/golden")).toList()) {
        if (Files.isDirectory(directory)) {
          try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
              String name = file.getFileName().toString().replace(".golden", "");
              golden.put(name, Files.readString(file, StandardCharsets.UTF_8));
            }
          }
        }
      }
    }
    return golden;
  }
}
