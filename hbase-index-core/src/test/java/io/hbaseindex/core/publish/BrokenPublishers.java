/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.ValuePrefixes;
import io.hbaseindex.core.time.MachineClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Publishers of region servers that break one rule each. */
public final class BrokenPublishers {
  /** Makes the publisher of a server. */
  public interface Maker {
    ServerPublisher make(
        String server,
        RegionNumbers numbers,
        MachineClock clock,
        LeaseTerms terms,
        PublishLimits limits);
  }

  private record Arguments(
      int region,
      RegionIncarnation incarnation,
      RegionFilter filter,
      LeaseTerms terms,
      PublishLimits limits,
      long now) {}

  private static class BrokenPublisher extends RegionPublisher {
    BrokenPublisher(Arguments made) {
      this(made, new RemainingTrust(made.terms, made.now));
    }

    BrokenPublisher(Arguments made, RemainingTrust trust) {
      super(made.region, made.incarnation, made.filter, trust, made.terms, made.limits, made.now);
    }
  }

  private BrokenPublishers() {}

  public static Maker withoutLeaseWait() {
    return publishers(
        made ->
            new BrokenPublisher(
                made,
                new RemainingTrust(made.terms, made.now) {
                  @Override
                  boolean hasPassed(Horizon horizon, long now) {
                    return true;
                  }
                }));
  }

  public static Maker thatClearTooLate() {
    return publishers(made -> new OtherLog(made, LazyClears::new));
  }

  public static Maker thatAcknowledgeAtOnce() {
    return publishers(
        made ->
            new BrokenPublisher(made) {
              @Override
              boolean isSettled(WriteTicket ticket, long now) {
                return true;
              }
            });
  }

  /** Writes of an outrun region wait for what is trusted, which gets no changes any more. */
  public static Maker thatWaitForWhatIsOutrun() {
    return publishers(
        made ->
            new BrokenPublisher(made) {
              @Override
              PublishedGeneration awaitedWhileOutrun(
                  PublishedGeneration trusted, PublishedGeneration staged) {
                return trusted;
              }
            });
  }

  /** Writes do not wait for bounds that are kept elsewhere than their bits. */
  public static Maker thatDoNotWaitForBounds() {
    return publishers(
        made ->
            new BrokenPublisher(made) {
              @Override
              WriteTicket ticket(boolean onlyBounds, long now) {
                return onlyBounds ? WriteTicket.NONE : super.ticket(false, now);
              }
            });
  }

  /** What is written during a rebuild counts for the bounds of the filter in use alone. */
  public static Maker thatBoundWhatWasScanned() {
    return filters(
        (geometry, memory) ->
            new RegionFilter(geometry, memory) {
              @Override
              void widen(RegionBounds by) {
                if (!isRebuilding()) {
                  super.widen(by);
                }
              }
            });
  }

  /** A value that is no new smallest or largest one of its filter is not told. */
  public static Maker thatTellNewEndsOnly() {
    return filters(
        (geometry, memory) ->
            new RegionFilter(geometry, memory) {
              @Override
              void widen(RegionBounds by) {
                RegionBounds known = newest() == null ? RegionBounds.NOTHING : newest().bounds();
                if (by.named().entrySet().stream()
                    .anyMatch(one -> isBeyond(one.getValue(), known.of(one.getKey())))) {
                  super.widen(by);
                }
              }
            });
  }

  private static boolean isBeyond(ValuePrefixes values, ValuePrefixes known) {
    for (byte[] value : values.prefixes()) {
      if (!known.meets(value, null) || !known.meets(new byte[0], value)) {
        return true;
      }
    }
    return false;
  }

  public static Maker thatWaitForOwnBitsOnly() {
    return publishers(OnlyOwnBits::new);
  }

  public static Maker thatLogTooLate() {
    return publishers(made -> new OtherLog(made, LateLog::new));
  }

  public static Maker thatForgetTheMasterBefore() {
    return publishers(
        made ->
            new BrokenPublisher(
                made,
                new RemainingTrust(made.terms, made.now) {
                  @Override
                  void changeMaster() {
                    released();
                  }
                }));
  }

  public static Maker thatRenewWhatIsIncomplete() {
    return publishers(
        made ->
            new BrokenPublisher(made) {
              @Override
              PublishedGeneration publication(long generation, RecordedFilter from) {
                return new PublishedGeneration(
                    generation, from, newLog(), made.limits.chunkBytes()) {
                  @Override
                  boolean addPages(int number, PushBuilder push) {
                    super.addPages(number, push);
                    return true;
                  }
                };
              }
            });
  }

  public static Maker thatRenewByBeatsUnnoticed() {
    return publishers(
        made ->
            new BrokenPublisher(made) {
              @Override
              void note(PushBuilder push, long generation) {
                if (!push.isBeat()) {
                  super.note(push, generation);
                }
              }
            });
  }

  /** A push that was lost is taken for received, as far as it concerned what is being staged. */
  public static Maker thatForgetWhatWasMissed() {
    return publishers(
        made ->
            new OtherLog(made, ForgetfulLog::new) {
              @Override
              void pushLost(long now) {
                super.pushLost(now);
                ForgetfulLog log = (ForgetfulLog) newest;
                if (log != null) {
                  log.forgetWhatWasSent();
                }
              }
            });
  }

  public static Maker thatKeepTheirCredit() {
    return (server, numbers, clock, terms, limits) ->
        new ServerPublisher(server, numbers, clock, terms, limits) {
          @Override
          long creditAfter(PushReply reply, long before) {
            return Math.max(before, super.creditAfter(reply, before));
          }
        };
  }

  public static Maker thatScanTooSoon() {
    return filters(
        (geometry, memory) ->
            new RegionFilter(geometry, memory) {
              @Override
              boolean rebuildMayScan() {
                return isRebuilding();
              }
            });
  }

  public static Maker thatTakeBackTooMuch() {
    return filters(
        (geometry, memory) ->
            new RegionFilter(geometry, memory) {
              @Override
              boolean counts(RecordedFilter filter, long phase, long space) {
                return true;
              }
            });
  }

  private static Maker publishers(Function<Arguments, RegionPublisher> broken) {
    return of(
        new PublishedRegion.Parts() {
          @Override
          RegionPublisher publisher(
              int region,
              RegionIncarnation incarnation,
              RegionFilter filter,
              LeaseTerms terms,
              PublishLimits limits,
              long now) {
            return broken.apply(new Arguments(region, incarnation, filter, terms, limits, now));
          }
        });
  }

  private static Maker filters(BiFunction<FilterGeometry, PagedMemory, RegionFilter> broken) {
    return of(
        new PublishedRegion.Parts() {
          @Override
          RegionFilter filter(FilterGeometry geometry, PagedMemory memory) {
            return broken.apply(geometry, memory);
          }
        });
  }

  private static Maker of(PublishedRegion.Parts parts) {
    return (server, numbers, clock, terms, limits) ->
        new ServerPublisher(server, numbers, clock, terms, limits, PagedMemory.heap(), parts);
  }

  private static class OtherLog extends BrokenPublisher {
    private final int pageBytes;
    private final Function<Integer, ChangeLog> log;
    ChangeLog newest;

    OtherLog(Arguments made, Function<Integer, ChangeLog> log) {
      super(made);
      this.pageBytes = made.limits.pageBytes();
      this.log = log;
    }

    @Override
    ChangeLog newLog() {
      newest = log.apply(pageBytes);
      return newest;
    }
  }

  private static final class ForgetfulLog extends ChangeLog {
    private long sent;

    ForgetfulLog(int pageBytes) {
      super(pageBytes);
    }

    @Override
    Iterable<Page> cutAll() {
      Iterable<Page> pages = super.cutAll();
      pages.forEach(page -> sent = page.number());
      return pages;
    }

    void forgetWhatWasSent() {
      confirm(sent);
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
    private final int pageBytes;
    private long setsBefore;

    OnlyOwnBits(Arguments made) {
      super(made);
      this.pageBytes = made.limits.pageBytes();
    }

    @Override
    ChangeLog newLog() {
      SetCounter log = new SetCounter(pageBytes);
      logs.add(log);
      return log;
    }

    @Override
    WriteTicket ticket(boolean onlyBounds, long now) {
      WriteTicket ticket = super.ticket(onlyBounds, now);
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
}
