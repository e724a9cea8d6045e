package io.hbaseindex.core.publish;

import io.hbaseindex.core.publish.RegionMessage.ApplyPage;
import io.hbaseindex.core.publish.RegionMessage.OpenRegion;
import io.hbaseindex.core.publish.RegionMessage.ReleaseRegion;
import io.hbaseindex.core.publish.RegionMessage.RenewTrust;
import io.hbaseindex.core.publish.RegionMessage.StageChunk;
import io.hbaseindex.core.publish.RegionMessage.StayOpen;
import io.hbaseindex.core.publish.RegionReply.Verdict;
import io.hbaseindex.core.routing.RoutingBudgetExceededException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What one master knows of all regions: a route through it never excludes a key that an
 * acknowledged write was made to, if the predicate asked holds for what was written.
 *
 * <p>It starts empty, which means that everything is open, and it trusts nobody before it has been
 * active for a lease. It excludes a region's keys only by a filter that the region has published
 * completely, with a token of this very master that is younger than the trust it gives.
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
public class FilterRegistry {
  private final long master;
  private final PublishClock clock;
  private final LeaseTerms terms;
  private final RegistryLimits limits;
  private final Predicate<String> online;
  private final Moment activeSince;

  private final Map<String, TableRoutes> tables = new ConcurrentHashMap<>();
  private final Map<RegionEntry.Key, RegionEntry> entries = new HashMap<>();
  private final GoneRegions gone = new GoneRegions();
  private final StagedFilter.StagedBytes stagedBytes = new StagedFilter.StagedBytes();
  private final Map<Verdict, Long> answered = new EnumMap<>(Verdict.class);
  private long nextSweepNanos;

  /**
   * The registry of a master that has just become active.
   *
   * @param master the master's incarnation; no other master may ever have the same
   * @param online whether a server, by name and start code, counts as alive at this master
   */
  public FilterRegistry(
      long master,
      PublishClock clock,
      LeaseTerms terms,
      RegistryLimits limits,
      Predicate<String> online) {
    this.master = master;
    this.clock = clock;
    this.terms = terms;
    this.limits = limits;
    this.online = online;
    this.activeSince = Moment.of(clock);
    this.nextSweepNanos = activeSince.nanos() + terms.leaseNanos();
  }

  /** Takes in a push and says what has become of it. */
  public synchronized PushReply apply(Push push) {
    Moment now = now();
    sweep(now.nanos());
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
    tables.values().forEach(TableRoutes::refresh);
    LeaseToken token = new LeaseToken(master, now.nanos(), now.wallMillis());
    return new PushReply(push.number(), token, isSenior(now), replies);
  }

  /** A server counts as dead from now on: nothing of it is trusted any more. */
  public synchronized void serverExpired(String server) {
    expire(server, now());
    tables.values().forEach(TableRoutes::refresh);
  }

  /** Where rows of a table that satisfy a predicate may be. */
  public RouteAnswer route(String table, RoutePredicate predicate) {
    Moment now = now();
    TableRoutes routes = tables.get(table);
    return routes == null
        ? RouteAnswer.unknownTable()
        : routes.route(predicate, now, terms, whyNotTrusted(now));
  }

  /** What is known of every region of a table, in key order. */
  public synchronized List<RegionView> regions(String table) {
    Moment now = now();
    TableRoutes routes = tables.get(table);
    return routes == null ? List.of() : routes.views(now, terms, whyNotTrusted(now));
  }

  /** The filters of the region servers, by server: each the union of those of its regions. */
  public synchronized List<ServerView> servers() {
    Moment now = now();
    Map<String, List<RegionView>> byServer = new TreeMap<>();
    for (TableRoutes routes : tables.values()) {
      for (RegionView region : routes.views(now, terms, whyNotTrusted(now))) {
        byServer.computeIfAbsent(region.server(), server -> new ArrayList<>()).add(region);
      }
    }
    return byServer.entrySet().stream()
        .map(entry -> new ServerView(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Bytes of heap that filters take, staged ones included. */
  public synchronized long filterBytes() {
    return bytes();
  }

  /** How many messages have been answered so far, by verdict. */
  public synchronized Map<Verdict, Long> answered() {
    return Map.copyOf(answered);
  }

  // ---- the rules of trust ----

  /** Trust is counted by both clocks, so that a suspended machine does not trust for too long. */
  Moment now() {
    return Moment.of(clock);
  }

  /** Whether the master has been active for so long that it may trust anybody. */
  boolean mayTrust(Moment now) {
    return now.nanos() - activeSince.nanos() >= terms.quietNanos();
  }

  private OpenReason whyNotTrusted(Moment now) {
    return mayTrust(now) ? OpenReason.LAPSED : OpenReason.YOUNG_MASTER;
  }

  /** Whether the master has been active for so long that no other one can still answer. */
  boolean isSenior(Moment now) {
    return now.nanos() - activeSince.nanos() >= terms.seniorityNanos();
  }

  /** The token that trust is counted from, or null if the one echoed gives none. */
  LeaseToken basisOfTrust(LeaseToken echoed, Moment now) {
    boolean ours =
        echoed != null
            && echoed.master() == master
            && now.nanos() - echoed.issuedNanos() >= 0
            && mayTrust(now);
    return ours ? echoed : null;
  }

  /** Whether announcing one incarnation concerns another one. */
  boolean concerns(RegionIncarnation opening, RegionIncarnation other) {
    return opening.overlaps(other);
  }

  /** Whether a filter with the pages up to {@code applied} lacks nothing that was set. */
  boolean isUpToDate(long applied, RenewTrust renewal) {
    return applied >= renewal.page();
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
      return stage(entry, chunk);
    }
    if (message instanceof ApplyPage page) {
      return applyPage(entry, page, now);
    }
    if (message instanceof RenewTrust renewal) {
      return renew(entry, renewal, basisOfTrust(push.token(), now), now);
    }
    return stayOpen(entry, (StayOpen) message);
  }

  private RegionReply open(RegionEntry.Key key, OpenRegion opening, Moment now) {
    RegionEntry known = entries.get(key);
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
    abandonThrough(known, opening.abandoned(), known.reason());
    return isOpen(known);
  }

  /** Lets routes see a region that has just been announced. */
  void show(RegionEntry entry) {
    table(entry).add(entry);
  }

  /** Fences the older incarnations of a region's keys; returns false if there is a newer one. */
  boolean makeRoom(RegionIncarnation opening, Moment now) {
    if (gone.hasNewerThan(opening)) {
      return false;
    }
    List<RegionEntry> older = new ArrayList<>();
    for (RegionEntry entry : tableOf(opening).overlapping(opening.range())) {
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

  RegionReply stage(RegionEntry entry, StageChunk chunk) {
    long generation = chunk.generation();
    if (generation <= entry.abandoned()) {
      return isOpen(entry);
    }
    boolean inUse = entry.filter() != null && entry.filter().generation() == generation;
    if (inUse || isReplaced(entry, generation)) {
      return reply(entry, Verdict.STALE, generation, 0);
    }
    StagedFilter staged = entry.staged();
    if (staged == null || staged.generation() < generation) {
      if (chunk.number() != 0) {
        return unstage(entry, generation, OpenReason.LOST);
      }
      staged = new StagedFilter(generation, chunk.coverage(), limits.filterSegments(), stagedBytes);
      entry.setStaged(staged);
    }
    if (chunk.number() == staged.parts() && !staged.isComplete()) {
      if (bytes() + staged.bytesToAdd(chunk) > limits.bytes()) {
        return unstage(entry, generation, OpenReason.OVER_BUDGET);
      }
      try {
        staged.add(chunk);
      } catch (IllegalArgumentException malformed) {
        return unstage(entry, generation, OpenReason.MALFORMED);
      }
    } else if (chunk.number() > staged.parts()) {
      return unstage(entry, generation, OpenReason.LOST);
    }
    return reply(entry, Verdict.STAGED, generation, staged.parts());
  }

  private RegionReply applyPage(RegionEntry entry, ApplyPage message, Moment now) {
    long generation = message.generation();
    if (generation <= entry.abandoned()) {
      return isOpen(entry);
    }
    if (isReplaced(entry, generation)) {
      return reply(entry, Verdict.STALE, generation, 0);
    }
    TrustedFilter filter = entry.filter();
    if (filter != null && filter.generation() == generation) {
      if (message.page() <= filter.page()) {
        return applied(entry, now);
      }
      if (message.page() != filter.page() + 1) {
        return lose(entry, generation, OpenReason.LOST);
      }
      try {
        table(entry).apply(entry, message);
      } catch (IllegalArgumentException malformed) {
        return lose(entry, generation, OpenReason.MALFORMED);
      } catch (RoutingBudgetExceededException over) {
        return lose(entry, generation, OpenReason.OVER_BUDGET);
      }
      return bytes() > limits.bytes()
          ? lose(entry, generation, OpenReason.OVER_BUDGET)
          : applied(entry, now);
    }
    return applyToStaged(entry, message);
  }

  private RegionReply applyToStaged(RegionEntry entry, ApplyPage message) {
    StagedFilter staged = entry.staged();
    if (staged == null || staged.generation() != message.generation() || !staged.isComplete()) {
      return unstage(entry, message.generation(), OpenReason.LOST);
    }
    if (message.page() > staged.page()) {
      if (message.page() != staged.page() + 1) {
        return unstage(entry, message.generation(), OpenReason.LOST);
      }
      try {
        staged.apply(message);
      } catch (IllegalArgumentException malformed) {
        return unstage(entry, message.generation(), OpenReason.MALFORMED);
      }
      if (bytes() > limits.bytes()) {
        return unstage(entry, message.generation(), OpenReason.OVER_BUDGET);
      }
    }
    return reply(entry, Verdict.APPLIED, message.generation(), staged.page());
  }

  private RegionReply renew(RegionEntry entry, RenewTrust renewal, LeaseToken basis, Moment now) {
    long generation = renewal.generation();
    if (generation <= entry.abandoned()) {
      return isOpen(entry);
    }
    if (isReplaced(entry, generation)) {
      return reply(entry, Verdict.STALE, generation, 0);
    }
    if (entry.filter() == null || entry.filter().generation() != generation) {
      StagedFilter staged = entry.staged();
      if (staged == null
          || staged.generation() != generation
          || !staged.isComplete()
          || !isUpToDate(staged.page(), renewal)) {
        return lose(entry, generation, OpenReason.LOST);
      }
      if (bytes() - staged.bytes() + table(entry).bytesToPromote(entry) > limits.bytes()) {
        return lose(entry, generation, OpenReason.OVER_BUDGET);
      }
      try {
        table(entry).promote(entry);
      } catch (RoutingBudgetExceededException over) {
        return lose(entry, generation, OpenReason.OVER_BUDGET);
      }
    }
    if (basis != null && isUpToDate(entry.filter().page(), renewal)) {
      entry.filter().trust(basis);
    }
    return applied(entry, now);
  }

  RegionReply stayOpen(RegionEntry entry, StayOpen message) {
    abandonThrough(entry, message.abandoned(), message.reason());
    if (entry.filter() != null) {
      return reply(entry, Verdict.STALE, message.abandoned(), 0);
    }
    entry.setReason(message.reason());
    return isOpen(entry);
  }

  // ---- what becomes of entries ----

  private void abandonThrough(RegionEntry entry, long generation, OpenReason reason) {
    entry.abandon(generation);
    if (entry.filter() != null && entry.filter().generation() <= generation) {
      table(entry).dropFilter(entry);
      entry.setReason(reason);
    } else if (entry.staged() != null && entry.staged().generation() <= generation) {
      entry.setStaged(null);
    }
  }

  private RegionReply lose(RegionEntry entry, long generation, OpenReason reason) {
    entry.abandon(Math.max(generation, entry.newestGeneration()));
    table(entry).dropFilter(entry);
    entry.setReason(reason);
    return isOpen(entry);
  }

  private RegionReply unstage(RegionEntry entry, long generation, OpenReason reason) {
    entry.setStaged(null);
    return new RegionReply(entry.key().region(), Verdict.UNSTAGED, generation, 0, reason);
  }

  private void end(RegionEntry entry, Verdict verdict, Moment now) {
    table(entry).remove(entry);
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
        table(entry).remove(entry);
        entries.remove(entry.key());
      }
      tables.keySet().retainAll(tablesInUse());
    }
  }

  private Set<String> tablesInUse() {
    return entries.values().stream()
        .map(entry -> entry.incarnation().table())
        .collect(Collectors.toSet());
  }

  /** Whether a newer generation than the given one is in use. */
  private static boolean isReplaced(RegionEntry entry, long generation) {
    return entry.filter() != null && generation < entry.filter().generation()
        || entry.staged() != null
            && generation < entry.staged().generation()
            && (entry.filter() == null || generation != entry.filter().generation());
  }

  private RegionReply applied(RegionEntry entry, Moment now) {
    TrustedFilter filter = entry.filter();
    Verdict verdict = filter.isTrusted(now, terms) ? Verdict.TRUSTED : Verdict.APPLIED;
    return reply(entry, verdict, filter.generation(), filter.page());
  }

  private static RegionReply isOpen(RegionEntry entry) {
    return new RegionReply(
        entry.key().region(), Verdict.OPEN, entry.abandoned(), 0, entry.reason());
  }

  private static RegionReply reply(
      RegionEntry entry, Verdict verdict, long generation, long position) {
    return new RegionReply(entry.key().region(), verdict, generation, position, null);
  }

  TableRoutes table(RegionEntry entry) {
    return tableOf(entry.incarnation());
  }

  TableRoutes tableOf(RegionIncarnation incarnation) {
    return tables.computeIfAbsent(incarnation.table(), name -> new TableRoutes(limits.bytes()));
  }

  private long bytes() {
    long bytes = stagedBytes.bytes();
    for (TableRoutes routes : tables.values()) {
      bytes += routes.bytes();
    }
    return bytes;
  }
}
