/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.matrix.RoutingBudgetExceededException;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
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
        Predicate<String> online,
        Predicate<Moment> active);
  }

  private record Arguments(
      long master,
      MachineClock clock,
      LeaseTerms terms,
      RegistryLimits limits,
      Predicate<String> online,
      Predicate<Moment> active) {}

  private static class BrokenRegistry extends FilterRegistry {
    BrokenRegistry(Arguments made) {
      this(made, new EntryProtocol(made.limits));
    }

    BrokenRegistry(Arguments made, EntryProtocol protocol) {
      this(made, new BrokenRules(made), protocol);
    }

    BrokenRegistry(Arguments made, TrustRules rules) {
      this(made, rules, new EntryProtocol(made.limits));
    }

    private BrokenRegistry(Arguments made, TrustRules rules, EntryProtocol protocol) {
      super(rules, made.terms, made.limits, made.online, protocol);
    }
  }

  private static class BrokenRules extends TrustRules {
    BrokenRules(Arguments made) {
      super(made.master, made.clock, made.terms, made.active);
    }
  }

  private BrokenRegistries() {}

  private static Maker registries(Function<Arguments, FilterRegistry> broken) {
    return (master, clock, terms, limits, online, active) ->
        broken.apply(new Arguments(master, clock, terms, limits, online, active));
  }

  private static Maker rules(Function<Arguments, TrustRules> broken) {
    return registries(made -> new BrokenRegistry(made, broken.apply(made)));
  }

  public static Maker thatTrustFromArrival() {
    return rules(
        made ->
            new BrokenRules(made) {
              @Override
              LeaseToken basisOfTrust(LeaseToken echoed, Moment now) {
                return super.basisOfTrust(echoed, now) == null ? null : issueToken(now);
              }
            });
  }

  public static Maker thatBelieveTheirClock() {
    return rules(
        made ->
            new BrokenRules(made) {
              @Override
              boolean isInStep(Push push, Moment now) {
                super.isInStep(
                    new Push(push.server(), push.number(), push.token(), 0, push.messages()), now);
                return true;
              }
            });
  }

  public static Maker thatNeedNoConfirmation() {
    return rules(
        made ->
            new BrokenRules(made) {
              @Override
              boolean isClockConfirmed(Moment now) {
                return true;
              }
            });
  }

  public static Maker thatNeverStandDown() {
    return rules(
        made ->
            new BrokenRules(made) {
              @Override
              boolean isActive(Moment now) {
                return true;
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
                new EntryProtocol(made.limits) {
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
                      entry
                          .table()
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
                new EntryProtocol(made.limits) {
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
                            filter.heldBounds(),
                            filter.census(),
                            filter.page()));
                    return new RegionReply(
                        message.region(), Verdict.OPEN, message.abandoned(), 0, message.reason());
                  }
                }));
  }

  public static Maker thatAreAlwaysSenior() {
    return rules(
        made ->
            new BrokenRules(made) {
              @Override
              boolean isSenior(Moment now) {
                return true;
              }
            });
  }

  public static Maker withoutWallClock() {
    return rules(
        made ->
            new BrokenRules(made) {
              @Override
              Moment now() {
                return new Moment(super.now().nanos(), 0);
              }

              @Override
              Moment activeSince() {
                return new Moment(super.activeSince().nanos(), 0);
              }
            });
  }

  public static Maker thatIgnoreDefinitions() {
    return registries(AnyVersion::new);
  }

  public static Maker thatBelieveDeadServers() {
    return registries(
        made ->
            new FilterRegistry(
                made.master, made.clock, made.terms, made.limits, any -> true, made.active));
  }

  public static Maker thatTrustWhatIsIncomplete() {
    return registries(
        made ->
            new BrokenRegistry(
                made,
                new EntryProtocol(made.limits) {
                  @Override
                  boolean isUpToDate(long applied, RenewTrust renewal) {
                    return true;
                  }
                }));
  }

  public static Maker thatMissPages() {
    return registries(
        made ->
            new BrokenRegistry(
                made,
                new EntryProtocol(made.limits) {
                  @Override
                  boolean follows(long page, long applied) {
                    return page > applied;
                  }

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
      if (entry.table().overlapping(entry.incarnation().range()).isEmpty()) {
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
          IndexCoverage other =
              new IndexCoverage(asked.space(), version, asked.seed(), asked.shape());
          RouteAnswer byOther =
              super.route(table, new RoutePredicate.Element(other, element.hash()));
          answer = byOther.excluded() > answer.excluded() ? byOther : answer;
        }
      }
      return answer;
    }
  }
}
