/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.matrix.RoutingBudgetExceededException;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.RegionMessage.StayOpen;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.core.time.Moment;
import java.util.function.Function;
import java.util.function.Predicate;

/** Registries that break one rule each. */
public final class BrokenRegistries {
  /** Makes the registry of a master. */
  public interface Maker {
    FilterRegistry make(
        long master,
        MachineClock clock,
        LeaseTerms terms,
        RegistryLimits limits,
        Predicate<String> online);
  }

  private record Arguments(
      long master,
      MachineClock clock,
      LeaseTerms terms,
      RegistryLimits limits,
      Predicate<String> online) {}

  private static class BrokenRegistry extends FilterRegistry {
    BrokenRegistry(Arguments made) {
      this(made, new EntryProtocol(made.terms, made.limits));
    }

    BrokenRegistry(Arguments made, EntryProtocol protocol) {
      super(made.master, made.clock, made.terms, made.limits, made.online, protocol);
    }
  }

  private BrokenRegistries() {}

  private static Maker registries(Function<Arguments, FilterRegistry> broken) {
    return (master, clock, terms, limits, online) ->
        broken.apply(new Arguments(master, clock, terms, limits, online));
  }

  public static Maker thatTrustFromArrival() {
    return registries(
        made ->
            new BrokenRegistry(made) {
              @Override
              LeaseToken basisOfTrust(LeaseToken echoed, Moment now) {
                LeaseToken basis = super.basisOfTrust(echoed, now);
                return basis == null
                    ? null
                    : new LeaseToken(basis.master(), now.nanos(), now.wallMillis());
              }
            });
  }

  public static Maker withoutFencing() {
    return registries(
        made ->
            new NarrowFence(made) {
              @Override
              boolean concerns(RegionIncarnation opening, RegionIncarnation other) {
                return false;
              }
            });
  }

  public static Maker thatFenceByName() {
    return registries(
        made ->
            new NarrowFence(made) {
              @Override
              boolean concerns(RegionIncarnation opening, RegionIncarnation other) {
                return opening.sameRegion(other);
              }
            });
  }

  public static Maker thatReplaceByParts() {
    return registries(
        made ->
            new BrokenRegistry(
                made,
                new EntryProtocol(made.terms, made.limits) {
                  @Override
                  RegionReply stage(RegionEntry entry, StageChunk chunk) {
                    RegionReply reply = super.stage(entry, chunk);
                    if (reply.verdict() == Verdict.STAGED && entry.filter() != null) {
                      replaceByPart(entry);
                    }
                    return reply;
                  }

                  private void replaceByPart(RegionEntry entry) {
                    try {
                      tables()
                          .of(entry)
                          .matrix()
                          .replace(entry.filter().owner(), entry.staged().snapshot());
                    } catch (RoutingBudgetExceededException noRoom) {
                      // Then the filter before stays, as it should.
                      return;
                    }
                  }
                }));
  }

  public static Maker thatTakeBackWhatWasGivenUp() {
    return registries(
        made ->
            new BrokenRegistry(
                made,
                new EntryProtocol(made.terms, made.limits) {
                  @Override
                  RegionReply stayOpen(RegionEntry entry, StayOpen message) {
                    TrustedFilter filter = entry.filter();
                    if (filter == null || filter.generation() > message.abandoned()) {
                      return super.stayOpen(entry, message);
                    }
                    entry.setFilter(
                        new TrustedFilter(
                            filter.owner(),
                            filter.generation(),
                            filter.coverage(),
                            filter.census(),
                            filter.page()));
                    tables().of(entry).changed();
                    return new RegionReply(
                        message.region(), Verdict.OPEN, message.abandoned(), 0, message.reason());
                  }
                }));
  }

  public static Maker thatAreAlwaysSenior() {
    return registries(
        made ->
            new BrokenRegistry(made) {
              @Override
              boolean isSenior(Moment now) {
                return true;
              }
            });
  }

  public static Maker withoutWallClock() {
    return registries(
        made ->
            new BrokenRegistry(made) {
              @Override
              Moment now() {
                return new Moment(super.now().nanos(), 0);
              }
            });
  }

  public static Maker thatIgnoreDefinitions() {
    return registries(AnyVersion::new);
  }

  public static Maker thatBelieveDeadServers() {
    return registries(
        made ->
            new FilterRegistry(made.master, made.clock, made.terms, made.limits, any -> true) {
              @Override
              public void serverExpired(String server) {}
            });
  }

  public static Maker thatTrustWhatIsIncomplete() {
    return registries(
        made ->
            new BrokenRegistry(
                made,
                new EntryProtocol(made.terms, made.limits) {
                  @Override
                  boolean isUpToDate(long applied, RenewTrust renewal) {
                    return true;
                  }
                }));
  }

  /** What was there before goes on answering for its keys. */
  private static class NarrowFence extends BrokenRegistry {
    NarrowFence(Arguments made) {
      super(made);
    }

    @Override
    void show(RegionEntry entry) {
      if (tables().of(entry).overlapping(entry.incarnation().range()).isEmpty()) {
        super.show(entry);
      }
    }
  }

  /** Every predicate is taken to ask for the definition that a region covers. */
  private static final class AnyVersion extends BrokenRegistry {
    AnyVersion(Arguments made) {
      super(made);
    }

    @Override
    public RouteAnswer route(String table, RoutePredicate predicate) {
      RouteAnswer answer = super.route(table, predicate);
      if (predicate instanceof RoutePredicate.Element element) {
        IndexCoverage asked = element.index();
        for (long version = 1; version < 5; version++) {
          IndexCoverage other = new IndexCoverage(asked.index(), version, asked.seed());
          RouteAnswer byOther =
              super.route(table, new RoutePredicate.Element(other, element.hash()));
          answer = byOther.excluded() > answer.excluded() ? byOther : answer;
        }
      }
      return answer;
    }
  }
}
