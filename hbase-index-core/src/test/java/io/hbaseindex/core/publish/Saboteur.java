package io.hbaseindex.core.publish;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.publish.RegionMessage.RenewTrust;
import io.hbaseindex.core.publish.RegionMessage.StageChunk;
import io.hbaseindex.core.publish.RegionMessage.StayOpen;
import io.hbaseindex.core.publish.RegionReply.Verdict;
import io.hbaseindex.core.routing.RoutingBudgetExceededException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Plausible implementations that break one rule each. The simulation has to notice. */
enum Saboteur {
  /** M7: acknowledges without waiting until no trust can be left. */
  NO_LEASE_WAIT(
      publishers(
          made ->
              new BrokenPublisher(
                  made,
                  new RemainingTrust(made.terms, made.now) {
                    @Override
                    boolean hasPassed(Horizon horizon, long now) {
                      return true;
                    }
                  }))),

  /** Trusts from the moment a renewal arrives instead of from the moment its token was issued. */
  LEASE_FROM_ARRIVAL(
      registries(
          made ->
              new BrokenRegistry(made) {
                @Override
                LeaseToken basisOfTrust(LeaseToken echoed, Moment now) {
                  LeaseToken basis = super.basisOfTrust(echoed, now);
                  return basis == null
                      ? null
                      : new LeaseToken(basis.master(), now.nanos(), now.wallMillis());
                }
              })),

  /** Sends cleared bits later than the bits that were set after them. */
  CLEAR_OVERTAKES_SET(publishers(made -> new OtherLog(made, LazyClears::new))),

  /** M3: leaves older incarnations as they are when a region opens. */
  NO_FENCING(
      registries(
          made ->
              new NarrowFence(made) {
                @Override
                boolean concerns(RegionIncarnation opening, RegionIncarnation other) {
                  return false;
                }
              })),

  /** M3: fences older incarnations of the same name only. */
  FENCING_BY_NAME(
      registries(
          made ->
              new NarrowFence(made) {
                @Override
                boolean concerns(RegionIncarnation opening, RegionIncarnation other) {
                  return opening.sameRegion(other);
                }
              })),

  /** M1: acknowledges without waiting for anything. */
  ACKNOWLEDGE_BEFORE_CONFIRM(
      publishers(
          made ->
              new BrokenPublisher(made) {
                @Override
                boolean isSettled(WriteTicket ticket, long now) {
                  return true;
                }
              })),

  /** M1: a write that set no bit itself waits for nothing. */
  SKIP_WAIT_WITHOUT_NEW_BIT(publishers(OnlyOwnBits::new)),

  /** M2: renews trust although pages are missing. */
  RENEW_WITHOUT_COMPLETENESS(RenewAnyway::new),

  /** F3: the log of a generation begins after its snapshot was taken. */
  STALE_WHOLE_FILTER(publishers(made -> new OtherLog(made, LateLog::new))),

  /** F1: takes postings back before it is known whether the batch succeeds. */
  DELETE_BEFORE_COMMIT(
      () ->
          new SimParts() {
            @Override
            boolean deletesBeforeCommit() {
              return true;
            }
          }),

  /** F3: the rebuild's scan does not wait for the batches that began before it. */
  REBUILD_SCANS_TOO_SOON(
      filters(
          geometry ->
              new RegionFilter(geometry) {
                @Override
                boolean rebuildMayScan() {
                  return isRebuilding();
                }
              })),

  /** F3: batches that began before a rebuild was complete take elements back from it. */
  REBUILD_TAKES_BACK_TOO_MUCH(
      filters(
          geometry ->
              new RegionFilter(geometry) {
                @Override
                boolean counts(RecordedFilter filter, long phase, long index) {
                  return true;
                }
              })),

  /**
   * F4: a filter that arrives in parts takes the place of the one before from the first part on.
   */
  DROP_BEFORE_REPLACE(
      registries(
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
                  }))),

  /** M2: a region that gives up loses its trust, but its generation can have it back. */
  GIVING_UP_IS_NOT_FINAL(
      registries(
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
                  }))),

  /** M4: forgets what the master before may still trust. */
  OLD_MASTER_FORGOTTEN(
      publishers(
          made ->
              new BrokenPublisher(
                  made,
                  new RemainingTrust(made.terms, made.now) {
                    @Override
                    void changeMaster() {
                      released();
                    }
                  }))),

  /** M4: takes a young master's word that a region is open for that of all masters. */
  YOUNG_MASTER_BELIEVED(
      registries(
          made ->
              new BrokenRegistry(made) {
                @Override
                boolean isSenior(Moment now) {
                  return true;
                }
              })),

  /** M4: counts trust by the monotonic clock alone. */
  MONOTONIC_CLOCK_ALONE(
      registries(
          made ->
              new BrokenRegistry(made) {
                @Override
                Moment now() {
                  return new Moment(super.now().nanos(), 0);
                }
              })),

  /** M5: answers for an index by a filter of another definition of it. */
  DEFINITION_IGNORED(registries(AnyVersion::new)),

  /** Listens to servers that HBase has taken for dead. */
  DEAD_SERVER_BELIEVED(
      registries(
          made ->
              new FilterRegistry(made.master, made.clock, made.terms, made.limits, any -> true) {
                @Override
                public void serverExpired(String server) {}
              })),

  /** A publisher that begins anew numbers its regions as the one before it did. */
  NUMBERS_USED_AGAIN(
      () ->
          new SimParts() {
            @Override
            ServerPublisher serverPublisher(
                String server,
                RegionNumbers numbers,
                PublishClock clock,
                LeaseTerms terms,
                PublishLimits limits) {
              return super.serverPublisher(server, new RegionNumbers(0), clock, terms, limits);
            }
          });

  private final Supplier<SimParts> parts;

  Saboteur(Supplier<SimParts> parts) {
    this.parts = parts;
  }

  SimParts parts() {
    return parts.get();
  }

  // ---- how parts are broken ----

  private record PublisherArguments(
      int region,
      RegionIncarnation incarnation,
      RegionFilter filter,
      LeaseTerms terms,
      PublishLimits limits,
      long now) {}

  private record RegistryArguments(
      long master,
      PublishClock clock,
      LeaseTerms terms,
      RegistryLimits limits,
      Predicate<String> online) {}

  private static class BrokenPublisher extends RegionPublisher {
    BrokenPublisher(PublisherArguments made) {
      this(made, new RemainingTrust(made.terms, made.now));
    }

    BrokenPublisher(PublisherArguments made, RemainingTrust trust) {
      super(made.region, made.incarnation, made.filter, trust, made.terms, made.limits, made.now);
    }
  }

  private static class BrokenRegistry extends FilterRegistry {
    BrokenRegistry(RegistryArguments made) {
      this(made, new EntryProtocol(made.terms, made.limits));
    }

    BrokenRegistry(RegistryArguments made, EntryProtocol protocol) {
      super(made.master, made.clock, made.terms, made.limits, made.online, protocol);
    }
  }

  private static Supplier<SimParts> publishers(
      Function<PublisherArguments, RegionPublisher> broken) {
    return () ->
        new SimParts() {
          @Override
          RegionPublisher publisher(
              int region,
              RegionIncarnation incarnation,
              RegionFilter filter,
              LeaseTerms terms,
              PublishLimits limits,
              long now) {
            return broken.apply(
                new PublisherArguments(region, incarnation, filter, terms, limits, now));
          }
        };
  }

  private static Supplier<SimParts> registries(Function<RegistryArguments, FilterRegistry> broken) {
    return () ->
        new SimParts() {
          @Override
          FilterRegistry registry(
              long master,
              PublishClock clock,
              LeaseTerms terms,
              RegistryLimits limits,
              Predicate<String> online) {
            return broken.apply(new RegistryArguments(master, clock, terms, limits, online));
          }
        };
  }

  private static Supplier<SimParts> filters(Function<FilterGeometry, RegionFilter> broken) {
    return () ->
        new SimParts() {
          @Override
          RegionFilter filter(FilterGeometry geometry) {
            return broken.apply(geometry);
          }
        };
  }

  /** What was there before goes on answering for its keys. */
  private static class NarrowFence extends BrokenRegistry {
    NarrowFence(RegistryArguments made) {
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
    AnyVersion(RegistryArguments made) {
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

  private static class OtherLog extends BrokenPublisher {
    private final Function<Integer, ChangeLog> log;

    OtherLog(PublisherArguments made, Function<Integer, ChangeLog> log) {
      super(made);
      this.log = log;
    }

    @Override
    ChangeLog newLog() {
      return log.apply(SimWorld.PAGE_BYTES);
    }
  }

  private static final class LazyClears extends ChangeLog {
    private final List<Runnable> clears = new ArrayList<>();

    LazyClears(int pageBytes) {
      super(pageBytes);
    }

    @Override
    public void bitCleared(int segment, long position) {
      clears.add(() -> super.bitCleared(segment, position));
    }

    @Override
    public void segmentDropped(int segment) {
      clears.add(() -> super.segmentDropped(segment));
    }

    @Override
    Iterable<Page> cutAll() {
      Iterable<Page> pages = super.cutAll();
      clears.forEach(Runnable::run);
      clears.clear();
      return pages;
    }
  }

  private static final class LateLog extends ChangeLog {
    private boolean begun;

    LateLog(int pageBytes) {
      super(pageBytes);
    }

    @Override
    public void bitSet(int segment, long position) {
      if (begun) {
        super.bitSet(segment, position);
      }
    }

    @Override
    public void elementSet(int segment, SizeClass sizeClass, long element, long slices) {
      if (begun) {
        super.elementSet(segment, sizeClass, element, slices);
      }
    }

    @Override
    Iterable<Page> cutAll() {
      begun = true;
      return super.cutAll();
    }
  }

  private static final class OnlyOwnBits extends BrokenPublisher {
    private final List<SetCounter> logs = new ArrayList<>();
    private long setsBefore;

    OnlyOwnBits(PublisherArguments made) {
      super(made);
    }

    @Override
    ChangeLog newLog() {
      SetCounter log = new SetCounter(SimWorld.PAGE_BYTES);
      logs.add(log);
      return log;
    }

    @Override
    WriteTicket ticket(long now) {
      WriteTicket ticket = super.ticket(now);
      long sets = logs.stream().mapToLong(log -> log.sets).sum();
      boolean own = sets != setsBefore;
      setsBefore = sets;
      return own ? ticket : WriteTicket.NONE;
    }

    private static final class SetCounter extends ChangeLog {
      private long sets;

      SetCounter(int pageBytes) {
        super(pageBytes);
      }

      @Override
      public void bitSet(int segment, long position) {
        sets++;
        super.bitSet(segment, position);
      }

      @Override
      public void elementSet(int segment, SizeClass sizeClass, long element, long slices) {
        sets++;
        super.elementSet(segment, sizeClass, element, slices);
      }
    }
  }

  /** Neither side minds whether everything has been applied. */
  private static final class RenewAnyway extends SimParts {
    @Override
    RegionPublisher publisher(
        int region,
        RegionIncarnation incarnation,
        RegionFilter filter,
        LeaseTerms terms,
        PublishLimits limits,
        long now) {
      RemainingTrust trust = new RemainingTrust(terms, now);
      return new RegionPublisher(region, incarnation, filter, trust, terms, limits, now) {
        @Override
        Publication publication(long generation, RecordedFilter from) {
          return new Publication(generation, from, newLog(), limits.chunkBytes()) {
            @Override
            boolean addPages(int number, PushBuilder push) {
              super.addPages(number, push);
              return true;
            }
          };
        }
      };
    }

    @Override
    FilterRegistry registry(
        long master,
        PublishClock clock,
        LeaseTerms terms,
        RegistryLimits limits,
        Predicate<String> online) {
      EntryProtocol protocol =
          new EntryProtocol(terms, limits) {
            @Override
            boolean isUpToDate(long applied, RenewTrust renewal) {
              return true;
            }
          };
      return new FilterRegistry(master, clock, terms, limits, online, protocol);
    }
  }
}
