/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.ApplyPage;
import io.hbaseindex.core.push.RegionMessage.OpenRegion;
import io.hbaseindex.core.push.RegionMessage.ReleaseRegion;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.RegionMessage.StayOpen;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.route.HoldingServers;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteCollector;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RouteSink;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.route.ServerCollector;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.core.time.Moment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The filters of all regions as one master knows them. A route through the registry never excludes
 * the key of an acknowledged write that satisfies the predicate asked for.
 *
 * <p>It starts empty, which means that everything is open. It excludes a region's keys only by a
 * filter that the region has published completely, with a token of this very master that is younger
 * than the trust it gives, and only while {@link TrustRules} allow the master to trust anybody.
 *
 * <p>Announcing a region opens and fences all older incarnations that share a key with it. An
 * incarnation that is older than one that is there, or that was there within the last lease, is
 * refused. So is everything from a server that does not count as online.
 *
 * <p>Every refusal leaves the region open and its generation abandoned: whoever is told so may rely
 * on it.
 *
 * <p>Safe for use by many threads, and routes never wait. Each message is applied under the monitor
 * of its region's entry, so pushes do not wait for each other unless they speak of the same region.
 * The monitor of the registry guards which regions there are and have been, and is held for that
 * alone: never while bits change or are copied, and never together with that of an entry. An entry
 * that is over is marked first, which ends its trust, and cleared away afterwards.
 */
@InterfaceAudience.Private
public class FilterRegistry {
  private final TrustRules rules;
  private final LeaseTerms terms;
  private final RegistryLimits limits;
  private final Predicate<String> online;

  private final EntryProtocol protocol;
  private final RegistryTables tables;
  private final StagingCredits credits;
  private final Map<RegionEntry.Key, RegionEntry> entries = new ConcurrentHashMap<>();
  private final GoneRegions gone = new GoneRegions();
  private final AtomicLongArray answered = new AtomicLongArray(Verdict.values().length);
  private volatile long nextSweepNanos;

  /**
   * The registry of a master that has just become active.
   *
   * @param master the master's incarnation; no other master may ever have the same
   * @param online whether a server, by name and start code, counts as alive at this master
   * @param active whether the master is certain at a moment that it is the active one
   */
  public FilterRegistry(
      long master,
      MachineClock clock,
      LeaseTerms terms,
      RegistryLimits limits,
      Predicate<String> online,
      Predicate<Moment> active) {
    this(
        new TrustRules(master, clock, terms, active),
        terms,
        limits,
        online,
        new EntryProtocol(limits));
  }

  /**
   * The registry of a region of the holders' table that has just been opened.
   *
   * <p>Such a holder knows who is alive from an answer that may be as old as {@link
   * LeaseTerms#deposedNanos}. It trusts nobody for so much longer, so that it cannot give trust to
   * a server that had died when another holder's word was taken for that of all.
   *
   * @param holder the holder's incarnation; no other holder may ever have the same
   * @param budget the memory of its filters, which is closed by whoever no longer needs them
   * @param online whether a server, by name and start code, counted as alive of late
   * @param active whether the holder is certain at a moment that nobody else has the region open
   */
  public static FilterRegistry ofHolder(
      long holder,
      MachineClock clock,
      LeaseTerms terms,
      RegistryLimits limits,
      MatrixBudget budget,
      Predicate<String> online,
      Predicate<Moment> active) {
    return new FilterRegistry(
        new TrustRules(holder, clock, terms, active, terms.seniorityNanos()),
        terms,
        limits,
        online,
        new EntryProtocol(limits, budget));
  }

  FilterRegistry(
      TrustRules rules,
      LeaseTerms terms,
      RegistryLimits limits,
      Predicate<String> online,
      EntryProtocol protocol) {
    this.rules = rules;
    this.terms = terms;
    this.limits = limits;
    this.online = online;
    this.protocol = protocol;
    this.tables = protocol.tables();
    this.credits = new StagingCredits(terms, limits.stagingServers());
    this.nextSweepNanos = rules.activeSince().nanos() + terms.leaseNanos();
  }

  /** Takes in a push and says what has become of it. */
  public PushReply apply(Push push) {
    Moment now = rules.now();
    if (now.nanos() - nextSweepNanos >= 0) {
      sweep(now);
    }
    boolean inStep = rules.isInStep(push, now);
    boolean alive = online.test(push.server());
    if (!alive) {
      expire(push.server(), now);
    }
    List<RegionReply> replies = new ArrayList<>(push.messages().size());
    for (RegionMessage message : push.messages()) {
      if (replies.size() == limits.pushMessages()) {
        break;
      }
      RegionReply reply =
          alive ? answer(push, message, now) : RegionReply.of(message.region(), Verdict.FENCED);
      answered.incrementAndGet(reply.verdict().ordinal());
      replies.add(reply);
    }
    showLayouts(now);
    return new PushReply(
        push.number(),
        rules.issueToken(now),
        terms.leaseNanos(),
        rules.isSenior(now),
        inStep,
        credits.answer(push.server(), push.wantsCredit(), now.nanos()),
        replies);
  }

  /** A server counts as dead from now on: nothing of it is trusted any more. */
  public void serverExpired(String server) {
    expire(server, rules.now());
  }

  /**
   * Moves bits of filters that have come, or of those beside ones that have gone, to where routes
   * read them fastest. To be called again and again, by one thread: pushes and routes go on.
   *
   * @param steps how many at most for each table; a step holds up the pushes of the table for some
   *     hundred microseconds
   * @return whether there may be more to move
   */
  public boolean tidy(int steps) {
    return tables.tidy(steps);
  }

  /** Where rows of a table that satisfy a predicate may be. */
  public RouteAnswer route(String table, RoutePredicate predicate) {
    Moment now = rules.now();
    TableRoutes routes = tables.find(table);
    return routes == null
        ? RouteAnswer.unknownTable()
        : route(routes, predicate, now, new RouteCollector()).finish();
  }

  /**
   * How far the values of an index reach in the regions of a table. Nothing is said of regions that
   * are missing here.
   */
  public List<RegionEdge> edges(String table, RegionEdge.Question question) {
    Moment now = rules.now();
    TableRoutes routes = tables.find(table);
    return routes == null ? List.of() : routes.edges(question, rules.at(now));
  }

  /** Which servers may hold rows of a table that satisfy a predicate. */
  public HoldingServers servers(String table, RoutePredicate predicate) {
    Moment now = rules.now();
    TableRoutes routes = tables.find(table);
    if (routes == null) {
      return HoldingServers.unknownTable();
    }
    if (routes.isStale()) {
      synchronized (this) {
        routes.refresh(); // or keys of a region that has moved would be those of its former server
      }
    }
    return route(routes, predicate, now, new ServerCollector()).finish();
  }

  private <S extends RouteSink> S route(
      TableRoutes routes, RoutePredicate predicate, Moment now, S sink) {
    routes.route(predicate, rules.at(now), sink);
    return sink;
  }

  /** The tables of which regions have been announced. */
  public SortedSet<String> tableNames() {
    return tables.names();
  }

  /** What is known of every region of a table, in key order. */
  public List<RegionView> regions(String table) {
    return regions(table, RowRange.ALL.start(), Integer.MAX_VALUE);
  }

  /** What is known of the first regions of a table that start at a key or behind it. */
  public List<RegionView> regions(String table, byte[] from, int limit) {
    Moment now = rules.now();
    TableRoutes routes = tables.find(table);
    return routes == null ? List.of() : routes.views(from, limit, rules.at(now));
  }

  /**
   * The first region of a table that starts at a key or behind it, with its filter as it is trusted
   * when the copy is complete; empty if there is none.
   *
   * @param known versions whose bits are not wanted
   */
  public Optional<RegionCopy> copy(String table, byte[] from, Set<RegionCopy.Version> known) {
    TableRoutes routes = tables.find(table);
    return routes == null
        ? Optional.empty()
        : Optional.ofNullable(routes.copy(from, known, () -> rules.at(rules.now())));
  }

  /** How the registry stands as a whole. */
  public RegistryView view() {
    return new RegistryView(
        rules.master(),
        rules.activeSince().wallMillis(),
        rules.at(rules.now()).nobody() == null,
        terms.leaseNanos(),
        filterBytes(),
        tables.budget().withinReach(),
        answered());
  }

  /** Bytes of heap that filters take, staged ones included. */
  public long filterBytes() {
    return tables.budget().used();
  }

  /** How many messages have been answered so far, by verdict. */
  public Map<Verdict, Long> answered() {
    Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
    for (Verdict verdict : Verdict.values()) {
      if (answered.get(verdict.ordinal()) > 0) {
        counts.put(verdict, answered.get(verdict.ordinal()));
      }
    }
    return counts;
  }

  /** Whether announcing one incarnation concerns another one. */
  boolean concerns(RegionIncarnation opening, RegionIncarnation other) {
    return opening.overlaps(other);
  }

  // ---- messages ----

  private RegionReply answer(Push push, RegionMessage message, Moment now) {
    RegionEntry.Key key = new RegionEntry.Key(push.server(), message.region());
    if (message instanceof OpenRegion opening) {
      return open(key, opening, now);
    }
    if (message instanceof ReleaseRegion) {
      return release(key, now);
    }
    RegionEntry entry = entries.get(key);
    if (entry == null) {
      return RegionReply.of(message.region(), verdictForAbsent(key, now));
    }
    synchronized (entry) {
      if (entry.over() != null) {
        return RegionReply.of(message.region(), entry.over());
      }
      entry.heard(now.nanos());
      return answer(entry, push, message, now);
    }
  }

  private RegionReply answer(RegionEntry entry, Push push, RegionMessage message, Moment now) {
    if (message instanceof StageChunk chunk) {
      return protocol.stage(entry, chunk);
    }
    if (message instanceof ApplyPage page) {
      return protocol.applyPage(entry, page, rules.at(now));
    }
    if (message instanceof RenewTrust renewal) {
      return protocol.renew(entry, renewal, rules.basisOfTrust(push.token(), now), rules.at(now));
    }
    return protocol.stayOpen(entry, (StayOpen) message);
  }

  private synchronized Verdict verdictForAbsent(RegionEntry.Key key, Moment now) {
    gone.sweep(now.nanos());
    return gone.verdictFor(key).orElse(Verdict.UNKNOWN);
  }

  private RegionReply open(RegionEntry.Key key, OpenRegion opening, Moment now) {
    List<RegionEntry> ended = new ArrayList<>();
    Announced announced = announce(key, opening.incarnation(), now, ended);
    clearAway(ended);
    RegionEntry entry = announced.entry;
    if (entry == null) {
      return RegionReply.of(key.region(), announced.refused);
    }
    synchronized (entry) {
      if (entry.over() != null) {
        return RegionReply.of(key.region(), entry.over());
      }
      entry.heard(now.nanos());
      protocol.abandonThrough(entry, opening.abandoned(), entry.reason());
      return EntryProtocol.isOpen(entry);
    }
  }

  /** The entry of a region, or why it gets none. */
  private record Announced(RegionEntry entry, Verdict refused) {}

  private synchronized Announced announce(
      RegionEntry.Key key, RegionIncarnation incarnation, Moment now, List<RegionEntry> ended) {
    gone.sweep(now.nanos());
    RegionEntry known = entries.get(key);
    if (known != null && !known.incarnation().equals(incarnation)) {
      end(known, Verdict.RELEASED, now, ended); // a number stands for one incarnation
      known = null;
    }
    Verdict refused = null;
    if (known == null) {
      refused = gone.verdictFor(key).orElse(null);
      if (refused == null && !makeRoom(incarnation, now, ended)) {
        refused = Verdict.FENCED;
      }
      if (refused == null) {
        known = new RegionEntry(key, incarnation, tables.of(incarnation));
        known.heard(now.nanos());
        entries.put(key, known);
        show(known);
      }
    }
    return new Announced(known, refused);
  }

  RegistryTables tables() {
    return tables;
  }

  /** Lets routes see a region that has just been announced, when the push has been taken in. */
  void show(RegionEntry entry) {
    entry.table().add(entry);
  }

  /**
   * Shows routes which regions have come and gone: once for each push, or for many of them, since
   * it goes through all regions of a table. Until then a region that has gone is open, as its entry
   * is over, and so are the keys of one that has come. Whatever happens, pushes go on, or nobody is
   * trusted.
   */
  private void showLayouts(Moment now) {
    if (tables.areStale()) {
      synchronized (this) {
        tables.refresh(now.nanos());
      }
    }
  }

  /** Fences the older incarnations of a region's keys; returns false if there is a newer one. */
  private boolean makeRoom(RegionIncarnation opening, Moment now, List<RegionEntry> ended) {
    if (gone.hasNewerThan(opening)) {
      return false;
    }
    List<RegionEntry> older = new ArrayList<>();
    for (RegionEntry entry : tables.of(opening).overlapping(opening.range())) {
      if (concerns(opening, entry.incarnation())) {
        if (entry.incarnation().isNewerThan(opening)) {
          return false;
        }
        older.add(entry);
      }
    }
    older.forEach(entry -> end(entry, Verdict.FENCED, now, ended));
    return true;
  }

  private RegionReply release(RegionEntry.Key key, Moment now) {
    List<RegionEntry> ended = new ArrayList<>();
    Verdict verdict;
    synchronized (this) {
      gone.sweep(now.nanos());
      RegionEntry entry = entries.get(key);
      if (entry != null) {
        end(entry, Verdict.RELEASED, now, ended);
      } else if (gone.verdictFor(key).isEmpty()) {
        remember(key, null, Verdict.RELEASED, now);
      }
      verdict = gone.verdictFor(key).orElse(Verdict.RELEASED);
    }
    clearAway(ended);
    return RegionReply.of(key.region(), verdict);
  }

  // ---- what becomes of entries ----

  private void end(RegionEntry entry, Verdict verdict, Moment now, List<RegionEntry> ended) {
    forget(entry, verdict, ended);
    remember(entry.key(), entry.incarnation(), verdict, now);
  }

  private void forget(RegionEntry entry, Verdict verdict, List<RegionEntry> ended) {
    entry.end(verdict);
    entry.table().remove(entry);
    entries.remove(entry.key());
    ended.add(entry);
  }

  /** Drops the filters of entries that are over. */
  private static void clearAway(List<RegionEntry> ended) {
    for (RegionEntry entry : ended) {
      synchronized (entry) {
        entry.table().dropFilter(entry);
      }
    }
  }

  /** Refuses what is said for an incarnation that has ended, as long as it could bring trust. */
  private void remember(
      RegionEntry.Key key, RegionIncarnation incarnation, Verdict verdict, Moment now) {
    gone.add(key, incarnation, verdict, now.nanos() + terms.fenceNanos());
  }

  private void expire(String server, Moment now) {
    endAll(
        entry -> entry.key().server().equals(server),
        (entry, ended) -> end(entry, Verdict.FENCED, now, ended));
  }

  /** Forgets the regions that nothing was heard of for long, and tables without regions. */
  private void sweep(Moment now) {
    nextSweepNanos = now.nanos() + terms.leaseNanos();
    endAll(
        entry -> entry.silentNanos(now.nanos()) > limits.silentNanos(),
        (entry, ended) -> forget(entry, Verdict.UNKNOWN, ended));
    synchronized (this) {
      gone.sweep(now.nanos());
      tables.retain(
          entries.values().stream()
              .map(entry -> entry.incarnation().table())
              .collect(Collectors.toSet()));
    }
  }

  private void endAll(
      Predicate<RegionEntry> which, BiConsumer<RegionEntry, List<RegionEntry>> ending) {
    List<RegionEntry> ended = new ArrayList<>();
    synchronized (this) {
      entries.values().stream()
          .filter(which)
          .toList()
          .forEach(entry -> ending.accept(entry, ended));
      tables.refresh();
    }
    clearAway(ended);
  }
}
