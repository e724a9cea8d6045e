/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import java.util.List;

/** The index gave another answer than the plain scan: a bug, never to be seen. */
final class WrongAnswerException extends Exception {
  private static final long serialVersionUID = 1L;

  WrongAnswerException(Question question, TimedAnswer plain, TimedAnswer indexed) {
    super(
        "the index was wrong about \"%s\": it found %s, the plain scan %s"
            .formatted(question.words(), indexed.keys(), plain.keys()));
  }

  WrongAnswerException(String words, List<String> plain, List<String> indexed) {
    super(
        "the index was wrong about \"%s\": it found %s, the plain scan %s"
            .formatted(words, indexed, plain));
  }
}
