/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.matrix.RoutingBudgetExceededException;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.RegionMessage.ApplyPage;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.RegionMessage.StayOpen;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.route.OpenReason;

/**
 * The effect of a region's messages on its entry. A filter is put together part by part, takes the
 * place of the one before, is changed page by page, is trusted, and is given up.
 *
 * <p>A message about a generation that was abandoned is answered by saying so, one about a
 * generation that a newer one has replaced changes nothing, and one that does not fit makes the
 * region open. Called under the entry's monitor.
 */
class EntryProtocol {
  private final RegistryTables tables;
  private final RegistryLimits limits;

  EntryProtocol(RegistryLimits limits) {
    this(limits, new MatrixBudget(limits.bytes()));
  }

  EntryProtocol(RegistryLimits limits, MatrixBudget budget) {
    this.tables = new RegistryTables(budget);
    this.limits = limits;
  }

  RegistryTables tables() {
    return tables;
  }

  /** Whether a filter with the pages up to {@code applied} lacks nothing that was set. */
  boolean isUpToDate(long applied, RenewTrust renewal) {
    return applied >= renewal.page();
  }

  /** Whether no page is missing between the last one applied and another one. */
  boolean follows(long page, long applied) {
    return page == applied + 1;
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
      staged =
          new StagedFilter(generation, chunk.coverage(), limits.filterSegments(), tables.budget());
      entry.setStaged(staged);
    }
    if (chunk.number() == staged.parts() && !staged.isComplete()) {
      try {
        staged.add(chunk);
      } catch (IllegalArgumentException malformed) {
        return unstage(entry, generation, OpenReason.MALFORMED);
      } catch (RoutingBudgetExceededException over) {
        return unstage(entry, generation, OpenReason.OVER_BUDGET);
      }
    } else if (chunk.number() > staged.parts()) {
      return unstage(entry, generation, OpenReason.LOST);
    }
    return reply(entry, Verdict.STAGED, generation, staged.parts());
  }

  RegionReply applyPage(RegionEntry entry, ApplyPage message, Trust trust) {
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
        return applied(entry, trust);
      }
      if (!follows(message.page(), filter.page())) {
        return lose(entry, generation, OpenReason.LOST);
      }
      try {
        entry.table().apply(entry, message);
      } catch (IllegalArgumentException malformed) {
        return lose(entry, generation, OpenReason.MALFORMED);
      } catch (RoutingBudgetExceededException over) {
        return lose(entry, generation, OpenReason.OVER_BUDGET);
      }
      return applied(entry, trust);
    }
    return applyToStaged(entry, message);
  }

  private RegionReply applyToStaged(RegionEntry entry, ApplyPage message) {
    StagedFilter staged = entry.staged();
    if (staged == null || staged.generation() != message.generation() || !staged.isComplete()) {
      return unstage(entry, message.generation(), OpenReason.LOST);
    }
    if (message.page() > staged.page()) {
      if (!follows(message.page(), staged.page())) {
        return unstage(entry, message.generation(), OpenReason.LOST);
      }
      try {
        staged.apply(message);
      } catch (IllegalArgumentException malformed) {
        return unstage(entry, message.generation(), OpenReason.MALFORMED);
      } catch (RoutingBudgetExceededException over) {
        return unstage(entry, message.generation(), OpenReason.OVER_BUDGET);
      }
    }
    return reply(entry, Verdict.PREPARED, message.generation(), staged.page());
  }

  RegionReply renew(RegionEntry entry, RenewTrust renewal, LeaseToken basis, Trust trust) {
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
      try {
        entry.table().promote(entry);
      } catch (RoutingBudgetExceededException over) {
        return lose(entry, generation, OpenReason.OVER_BUDGET);
      }
    }
    if (basis != null && isUpToDate(entry.filter().page(), renewal)) {
      entry.filter().trust(basis);
    }
    return applied(entry, trust);
  }

  RegionReply stayOpen(RegionEntry entry, StayOpen message) {
    abandonThrough(entry, message.abandoned(), message.reason());
    if (entry.filter() != null) {
      return reply(entry, Verdict.STALE, message.abandoned(), 0);
    }
    entry.setReason(message.reason());
    return isOpen(entry);
  }

  void abandonThrough(RegionEntry entry, long generation, OpenReason reason) {
    entry.abandon(generation);
    if (entry.filter() != null && entry.filter().generation() <= generation) {
      entry.table().dropFilter(entry);
      entry.setReason(reason);
    } else if (entry.staged() != null && entry.staged().generation() <= generation) {
      entry.setStaged(null);
    }
  }

  private RegionReply lose(RegionEntry entry, long generation, OpenReason reason) {
    entry.abandon(Math.max(generation, entry.newestGeneration()));
    entry.table().dropFilter(entry);
    entry.setReason(reason);
    return isOpen(entry);
  }

  private RegionReply unstage(RegionEntry entry, long generation, OpenReason reason) {
    entry.setStaged(null);
    return new RegionReply(entry.key().region(), Verdict.UNSTAGED, generation, 0, reason);
  }

  /** Whether a newer generation than the given one is in use. */
  private static boolean isReplaced(RegionEntry entry, long generation) {
    return entry.filter() != null && generation < entry.filter().generation()
        || entry.staged() != null
            && generation < entry.staged().generation()
            && (entry.filter() == null || generation != entry.filter().generation());
  }

  private RegionReply applied(RegionEntry entry, Trust trust) {
    TrustedFilter filter = entry.filter();
    Verdict verdict = filter.isTrusted(trust) ? Verdict.TRUSTED : Verdict.APPLIED;
    return reply(entry, verdict, filter.generation(), filter.page());
  }

  static RegionReply isOpen(RegionEntry entry) {
    return new RegionReply(
        entry.key().region(), Verdict.OPEN, entry.abandoned(), 0, entry.reason());
  }

  private static RegionReply reply(
      RegionEntry entry, Verdict verdict, long generation, long position) {
    return new RegionReply(entry.key().region(), verdict, generation, position, null);
  }
}
