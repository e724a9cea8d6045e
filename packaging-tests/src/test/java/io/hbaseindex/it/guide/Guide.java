/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A page with commands to type, read from its Markdown. Blocks marked {@code console} hold commands
 * behind {@code $}, each followed by what it prints; blocks marked {@code java} that begin with
 * {@code // Name.java} are files to make before.
 */
final class Guide {
  private static final String FENCE = "```";
  private static final String PROMPT = "$ ";
  private static final String FILE_COMMENT = "// ";

  /**
   * A command and what stands below it.
   *
   * @param text as it is typed
   * @param printed lines that it prints; none if the page does not show them
   */
  record Command(String text, List<String> printed) {}

  private final List<Command> commands = new ArrayList<>();
  private final Map<String, String> files = new LinkedHashMap<>();

  private Guide() {}

  static Guide read(Path page) throws IOException {
    Guide guide = new Guide();
    List<String> block = null;
    String kind = "";
    for (String line : Files.readAllLines(page)) {
      if (!line.startsWith(FENCE)) {
        if (block != null) {
          block.add(line);
        }
      } else if (block == null) {
        block = new ArrayList<>();
        kind = line.substring(FENCE.length());
      } else {
        guide.add(kind, block);
        block = null;
      }
    }
    return guide;
  }

  private void add(String kind, List<String> block) {
    if (kind.equals("console")) {
      addCommands(block);
    } else if (kind.equals("java") && block.get(0).startsWith(FILE_COMMENT)) {
      String name = block.get(0).substring(FILE_COMMENT.length());
      files.put(name, String.join("\n", block) + "\n");
    }
  }

  private void addCommands(List<String> block) {
    int at = 0;
    while (at < block.size()) {
      if (!block.get(at).startsWith(PROMPT)) {
        throw new IllegalArgumentException(
            "Cannot read a block of commands: it begins with " + block.get(at) + ", not with $");
      }
      StringBuilder text = new StringBuilder(block.get(at++).substring(PROMPT.length()));
      while (text.charAt(text.length() - 1) == '\\') {
        text.append('\n').append(block.get(at++));
      }
      List<String> printed = new ArrayList<>();
      while (at < block.size() && !block.get(at).startsWith(PROMPT)) {
        printed.add(block.get(at++));
      }
      commands.add(new Command(text.toString(), List.copyOf(printed)));
    }
  }

  /** In the order of the page. */
  List<Command> commands() {
    return commands;
  }

  /** Content by name. */
  Map<String, String> files() {
    return files;
  }
}
