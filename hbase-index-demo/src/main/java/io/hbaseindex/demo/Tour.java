/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** The fixed sequence of questions, each answered with the index and without, as tables. */
final class Tour {
  private static final long POLL_MILLIS = 50;
  private static final Duration FORGET_LIMIT = Duration.ofSeconds(30);

  private final DemoCluster cluster;
  private final PeopleTable table;
  private final Census census;
  private final Interview interview;
  private final Showcase showcase;
  private final Console console;
  private int asked;

  Tour(
      DemoCluster cluster,
      PeopleTable table,
      Census census,
      Interview interview,
      Showcase showcase,
      Console console) {
    this.cluster = cluster;
    this.table = table;
    this.census = census;
    this.interview = interview;
    this.showcase = showcase;
    this.console = console;
  }

  /**
   * @throws WrongAnswerException if the index and the plain scan do not agree
   */
  void run() throws Exception {
    Person somebody = census.somebody();
    Question unique =
        Question.about(
            "Whose e-mail address is " + somebody.email() + "?", "email", somebody.email());
    ask(unique);
    ask(
        Question.about(
            "Whose is nobody@nowhere.example? (nobody's)", "email", "nobody@nowhere.example"));
    String small = census.smallPlace();
    ask(Question.about("Who lives in " + small + "?", "city", small));
    String city = census.cityWithFewBlocked();
    ask(
        new Question(
            "Who lives in " + city + " AND is blocked?",
            Map.of("city", city, "status", "blocked")));
    table.delete(somebody);
    awaitForgotten(unique);
    ask(
        Question.about(
            somebody.name()
                + " has been deleted. Whose e-mail address is "
                + somebody.email()
                + " now?",
            "email",
            somebody.email()));
    showcase.mostPeople(++asked);
    showcase.joinedLast(++asked, city);
    showcase.namesOf(++asked, small);
    showcase.joinedBetween(++asked, city, census.middleOfTheTime());
    showcase.pointsOf(++asked, city);
    showcase.blockedLast(++asked);
    showcase.writtenByDay(++asked, city, census.middleOfTheTime());
  }

  private void ask(Question question) throws IOException, WrongAnswerException {
    TimedAnswer plain = interview.withoutIndex(question);
    TimedAnswer indexed = interview.withIndex(question);
    if (!plain.keys().equals(indexed.keys())) {
      throw new WrongAnswerException(question, plain, indexed);
    }
    Reads all = Reads.of(cluster.servers(), PeopleTable.NAME);
    console.say("");
    console.say(++asked + ". " + question.words());
    console.say("");
    console.say(
        "   %-12s %6s %12s %10s %9s %11s"
            .formatted("", "rows", "time", "regions", "servers", "rows read"));
    console.say(row("plain scan", plain, all));
    console.say(row("hbase-index", indexed, all));
    console.say("");
    console.say("   " + SparedWork.of(indexed, plain, all.regions()));
  }

  private static String row(String way, TimedAnswer answer, Reads all) {
    return String.format(
        Locale.ROOT,
        "   %-12s %,6d %9.1f ms %10s %9s %,11d",
        way,
        answer.keys().size(),
        answer.median().toNanos() / 1e6,
        answer.cost().regions() + " of " + all.regions(),
        answer.cost().servers() + " of " + all.servers(),
        answer.rowsRead());
  }

  /**
   * A write is visible at once; that the last row of a value is gone reaches the master shortly.
   */
  private void awaitForgotten(Question question) throws Exception {
    long started = System.nanoTime();
    while (!interview.isExcludedEverywhere(question)
        && System.nanoTime() - started < FORGET_LIMIT.toNanos()) {
      Thread.sleep(POLL_MILLIS);
    }
  }
}
