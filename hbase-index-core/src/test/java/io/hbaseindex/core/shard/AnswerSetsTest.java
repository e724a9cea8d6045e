/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteAnswer.Candidate;
import io.hbaseindex.core.route.RowRange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerSetsTest {

  private static Candidate asked(String start, String end) {
    return candidate(start, end, "s", null);
  }

  private static Candidate open(String start, String end) {
    return candidate(start, end, "s", OpenReason.NOT_READY);
  }

  private static Candidate candidate(String start, String end, String server, OpenReason why) {
    return new Candidate(
        new RowRange(start.getBytes(StandardCharsets.UTF_8), end.getBytes(StandardCharsets.UTF_8)),
        server,
        why);
  }

  private static RouteAnswer answer(int excluded, Candidate... candidates) {
    List<Candidate> all = List.of(candidates);
    int open = (int) all.stream().filter(one -> one.open() != null).count();
    return new RouteAnswer(all, excluded, all.size() - open, open);
  }

  /** As text, since ranges compare by identity of their arrays. */
  private static List<String> told(RouteAnswer answer) {
    return answer.candidates().stream()
        .map(
            one ->
                "%s-%s %s %s"
                    .formatted(
                        new String(one.range().start(), StandardCharsets.UTF_8),
                        new String(one.range().end(), StandardCharsets.UTF_8),
                        one.server(),
                        one.open()))
        .toList();
  }

  @Test
  void intersection_keysOfBoth_unionKeysOfOne() {
    RouteAnswer one = answer(2, asked("b", "d"));
    RouteAnswer other = answer(2, asked("c", "e"));

    assertThat(told(AnswerSets.intersection(one, other))).containsExactly("c-d s null");
    assertThat(told(AnswerSets.union(one, other))).containsExactly("b-e s null");
  }

  @Test
  void candidateThatOnlyTheOtherAnswerHasCut_isOneAgain() {
    RouteAnswer whole = answer(1, asked("b", "f"));
    RouteAnswer halves = answer(1, asked("b", "d"), asked("d", "f"));

    assertThat(told(AnswerSets.intersection(whole, halves))).containsExactly("b-f s null");
    assertThat(told(AnswerSets.union(whole, halves))).containsExactly("b-f s null");
    assertThat(told(AnswerSets.intersection(halves, whole)))
        .as("regions of the first answer stay apart")
        .containsExactly("b-d s null", "d-f s null");
  }

  @Test
  void pieces_ofOtherServersOrReasonsOrWithAGap_stayApart() {
    RouteAnswer all = answer(0, candidate("", "", null, OpenReason.ABSENT));
    RouteAnswer servers =
        answer(0, candidate("b", "d", "s1", null), candidate("d", "f", "s2", null));
    RouteAnswer gap = answer(0, asked("b", "c"), asked("d", "f"));
    RouteAnswer reasons = answer(0, asked("b", "d"), open("d", "f"));

    assertThat(told(AnswerSets.intersection(servers, all)))
        .containsExactly("b-d s1 null", "d-f s2 null");
    assertThat(told(AnswerSets.intersection(gap, all))).containsExactly("b-c s null", "d-f s null");
    assertThat(told(AnswerSets.intersection(reasons, answer(0, open("a", "g")))))
        .containsExactly("b-d s null", "d-f s NOT_READY");
  }

  @Test
  void whereBothAreNeeded_theFilterThatWasAskedIsTold_elseTheOneThatWasNot() {
    RouteAnswer asked = answer(0, asked("b", "d"));
    RouteAnswer open = answer(0, open("b", "d"));

    assertThat(told(AnswerSets.intersection(asked, open))).containsExactly("b-d s null");
    assertThat(told(AnswerSets.intersection(open, asked))).containsExactly("b-d s null");
    assertThat(told(AnswerSets.union(asked, open))).containsExactly("b-d s NOT_READY");
    assertThat(told(AnswerSets.union(open, asked))).containsExactly("b-d s NOT_READY");
  }

  /** Joined regions are unnamed; whoever reads needs each region by itself, with its server. */
  @Test
  void regionsThatOneAnswerHasJoined_areThoseOfTheOther() {
    RouteAnswer joined = answer(0, candidate("b", "f", null, null));
    RouteAnswer named = answer(0, asked("b", "d"), open("d", "e"));

    for (RouteAnswer both :
        List.of(AnswerSets.intersection(joined, named), AnswerSets.intersection(named, joined))) {
      assertThat(told(both)).containsExactly("b-d s null", "d-e s NOT_READY");
      assertThat(both.positive()).isOne();
    }
    assertThat(told(AnswerSets.intersection(joined, answer(0, asked("b", "d"), asked("d", "f")))))
        .as("two regions of one server")
        .containsExactly("b-d s null", "d-f s null");
    assertThat(told(AnswerSets.union(named, joined)))
        .containsExactly("b-d s null", "d-e s NOT_READY", "e-f null null");
    RouteAnswer unknown = AnswerSets.intersection(joined, joined);
    assertThat(told(unknown)).containsExactly("b-f null null");
    assertThat(unknown.open()).as("regions that could not be asked").isZero();
    assertThat(unknown.excluded()).isZero();
  }

  @Test
  void counts_areOfTheRangesLeft() {
    RouteAnswer one = answer(5, asked("b", "d"), open("d", "f"));
    RouteAnswer other = answer(3, asked("a", "c"), candidate("d", "f", null, OpenReason.ABSENT));

    RouteAnswer both = AnswerSets.intersection(one, other);
    assertThat(told(both)).containsExactly("b-c s null", "d-f s NOT_READY");
    assertThat(both.excluded()).as("of seven regions at least, two are left").isEqualTo(5);
    assertThat(both.positive()).isEqualTo(1);
    assertThat(both.open()).isEqualTo(1);

    RouteAnswer unannounced =
        AnswerSets.intersection(
            answer(0, candidate("b", "d", null, OpenReason.ABSENT)), answer(2, open("a", "z")));
    assertThat(unannounced.candidates()).hasSize(1);
    assertThat(unannounced.positive()).isZero();
  }

  @Test
  void lastKeyOfTheTable_isNotTakenForItsFirst() {
    RouteAnswer ends = answer(1, asked("", "b"), asked("y", ""));
    RouteAnswer all = answer(0, open("", ""));

    assertThat(told(AnswerSets.intersection(ends, all))).containsExactly("-b s null", "y- s null");
  }
}
