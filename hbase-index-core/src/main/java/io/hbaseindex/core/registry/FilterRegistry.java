/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
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
 * <p>Safe for use by many threads. Pushes are applied one after another; routes never wait.
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
  private final Map<RegionEntry.Key, RegionEntry> entries = new HashMap<>();
  private final GoneRegions gone = new GoneRegions();
  private final Map<Verdict, Long> answered = new EnumMap<>(Verdict.class);
  private long nextSweepNanos;

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
   * @param online whether a server, by name and start code, counted as alive of late
   * @param active whether the holder is certain at a moment that nobody else has the region open
   */
  public static FilterRegistry ofHolder(
      long holder,
      MachineClock clock,
      LeaseTerms terms,
      RegistryLimits limits,
      Predicate<String> online,
      Predicate<Moment> active) {
    return new FilterRegistry(
        new TrustRules(holder, clock, terms, active, terms.seniorityNanos()),
        terms,
        limits,
        online,
        new EntryProtocol(limits));
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
  public synchronized PushReply apply(Push push) {
    Moment now = rules.now();
    sweep(now.nanos());
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
      answered.merge(reply.verdict(), 1L, Long::sum);
      replies.add(reply);
    }
    tables.refresh();
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
  public synchronized void serverExpired(String server) {
    expire(server, rules.now());
    tables.refresh();
  }

  /** Where rows of a table that satisfy a predicate may be. */
  public RouteAnswer route(String table, RoutePredicate predicate) {
    Moment now = rules.now();
    TableRoutes routes = tables.find(table);
    return routes == null
        ? RouteAnswer.unknownTable()
        : route(routes, predicate, now, new RouteCollector()).finish();
  }

  /** Which servers may hold rows of a table that satisfy a predicate. */
  public HoldingServers servers(String table, RoutePredicate predicate) {
    Moment now = rules.now();
    TableRoutes routes = tables.find(table);
    return routes == null
        ? HoldingServers.unknownTable()
        : route(routes, predicate, now, new ServerCollector()).finish();
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
  public synchronized List<RegionView> regions(String table, byte[] from, int limit) {
    Moment now = rules.now();
    TableRoutes routes = tables.find(table);
    return routes == null ? List.of() : routes.views(from, limit, rules.at(now));
  }

  /**
   * The first region of a table that starts at a key or behind it, with its filter as it is trusted
   * now; empty if there is none. One region at a time, because pushes wait meanwhile.
   *
   * @param known versions whose bits are not wanted
   */
  public synchronized Optional<RegionCopy> copy(
      String table, byte[] from, Set<RegionCopy.Version> known) {
    Moment now = rules.now();
    TableRoutes routes = tables.find(table);
    return routes == null
        ? Optional.empty()
        : Optional.ofNullable(routes.copy(from, known, rules.at(now)));
  }

  /** How the registry stands as a whole. */
  public synchronized RegistryView view() {
    return new RegistryView(
        rules.master(),
        rules.activeSince().wallMillis(),
        rules.at(rules.now()).nobody() == null,
        terms.leaseNanos(),
        tables.bytes(),
        limits.bytes(),
        answered);
  }

  /** Bytes of heap that filters take, staged ones included. */
  public synchronized long filterBytes() {
    return tables.bytes();
  }

  /** How many messages have been answered so far, by verdict. */
  public synchronized Map<Verdict, Long> answered() {
    return Map.copyOf(answered);
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
      return RegionReply.of(message.region(), gone.verdictFor(key).orElse(Verdict.UNKNOWN));
    }
    entry.heard(now.nanos());
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

  private RegionReply open(RegionEntry.Key key, OpenRegion opening, Moment now) {
    RegionEntry known = entries.get(key);
    if (known != null && !known.incarnation().equals(opening.incarnation())) {
      end(known, Verdict.RELEASED, now); // a number stands for one incarnation
      known = null;
    }
    if (known == null) {
      if (gone.verdictFor(key).isPresent()) {
        return RegionReply.of(key.region(), gone.verdictFor(key).get());
      }
      if (!makeRoom(opening.incarnation(), now)) {
        return RegionReply.of(key.region(), Verdict.FENCED);
      }
      known = new RegionEntry(key, opening.incarnation());
      entries.put(key, known);
      show(known);
    }
    known.heard(now.nanos());
    protocol.abandonThrough(known, opening.abandoned(), known.reason());
    return EntryProtocol.isOpen(known);
  }

  RegistryTables tables() {
    return tables;
  }

  /** Lets routes see a region that has just been announced. */
  void show(RegionEntry entry) {
    tables.of(entry).add(entry);
  }

  /** Fences the older incarnations of a region's keys; returns false if there is a newer one. */
  boolean makeRoom(RegionIncarnation opening, Moment now) {
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
    older.forEach(entry -> end(entry, Verdict.FENCED, now));
    return true;
  }

  private RegionReply release(RegionEntry.Key key, Moment now) {
    RegionEntry entry = entries.get(key);
    if (entry != null) {
      end(entry, Verdict.RELEASED, now);
    } else if (gone.verdictFor(key).isEmpty()) {
      remember(key, null, Verdict.RELEASED, now);
    }
    return RegionReply.of(key.region(), gone.verdictFor(key).orElse(Verdict.RELEASED));
  }

  // ---- what becomes of entries ----

  private void end(RegionEntry entry, Verdict verdict, Moment now) {
    tables.of(entry).remove(entry);
    entries.remove(entry.key());
    remember(entry.key(), entry.incarnation(), verdict, now);
  }

  /** Refuses what is said for an incarnation that has ended, as long as it could bring trust. */
  void remember(RegionEntry.Key key, RegionIncarnation incarnation, Verdict verdict, Moment now) {
    gone.add(key, incarnation, verdict, now.nanos() + terms.fenceNanos());
  }

  private void expire(String server, Moment now) {
    List<RegionEntry> theirs =
        entries.values().stream().filter(entry -> entry.key().server().equals(server)).toList();
    theirs.forEach(entry -> end(entry, Verdict.FENCED, now));
  }

  private void sweep(long now) {
    gone.sweep(now);
    if (now - nextSweepNanos >= 0) {
      nextSweepNanos = now + terms.leaseNanos();
      List<RegionEntry> silent =
          entries.values().stream()
              .filter(entry -> entry.silentNanos(now) > limits.silentNanos())
              .toList();
      for (RegionEntry entry : silent) {
        tables.of(entry).remove(entry);
        entries.remove(entry.key());
      }
      tables.retain(tablesInUse());
    }
  }

  private Set<String> tablesInUse() {
    return entries.values().stream()
        .map(entry -> entry.incarnation().table())
        .collect(Collectors.toSet());
  }
}
