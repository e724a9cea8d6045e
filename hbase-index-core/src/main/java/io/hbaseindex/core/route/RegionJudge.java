/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.route.RoutePredicate.AllOf;
import io.hbaseindex.core.route.RoutePredicate.AnyOf;
import io.hbaseindex.core.route.RoutePredicate.Element;
import io.hbaseindex.core.route.RoutePredicate.Range;
import java.util.List;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The one decision whether a region may be left out of a scan. It may, only if its filter covers
 * enough of the predicate to prove that no row of the region satisfies it. Master and client both
 * ask this class.
 *
 * @param <F> what stands for the filter of a region
 */
@InterfaceAudience.Private
public final class RegionJudge<F> {
  /** How filters of one kind are asked. */
  public interface Probe<F> {
    /** Whether the filter knows all values of an index. */
    boolean covers(F filter, IndexCoverage index);

    /** Bounds of the filter; asked after it was asked for elements, and never narrower by then. */
    RegionBounds bounds(F filter);

    /** Asks for an element; the result tells of each filter whether it may hold it. */
    Predicate<F> mayHold(long hash);
  }

  private sealed interface Part<F> {
    /** Whether the filter proves that no row of its region satisfies this part. */
    boolean isRefutedBy(F filter);

    /** Whether the filter covers all that this part asks. */
    boolean isCoveredBy(F filter);
  }

  private record OfElement<F>(Probe<F> probe, IndexCoverage index, Predicate<F> mayHold)
      implements Part<F> {
    @Override
    public boolean isRefutedBy(F filter) {
      return probe.covers(filter, index) && !mayHold.test(filter);
    }

    @Override
    public boolean isCoveredBy(F filter) {
      return probe.covers(filter, index);
    }
  }

  /** Bounds are read as late as possible: they only become wider. */
  private record OfRange<F>(Probe<F> probe, IndexCoverage index, byte[] from, byte[] below)
      implements Part<F> {
    OfRange(Probe<F> probe, Range range) {
      this(
          probe,
          range.index(),
          IndexRowKeys.encoded(range.values().lower()),
          range.values().upper().map(IndexRowKeys::encoded).orElse(null));
    }

    @Override
    public boolean isRefutedBy(F filter) {
      return isCoveredBy(filter) && !probe.bounds(filter).of(index.indexId()).meets(from, below);
    }

    @Override
    public boolean isCoveredBy(F filter) {
      return probe.covers(filter, index);
    }
  }

  /** A conjunction fails where one of its parts does. */
  private record OfAll<F>(List<Part<F>> parts) implements Part<F> {
    @Override
    public boolean isRefutedBy(F filter) {
      for (Part<F> part : parts) {
        if (part.isRefutedBy(filter)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean isCoveredBy(F filter) {
      return areCoveredBy(filter, parts);
    }
  }

  /** A disjunction fails where all of its parts do. */
  private record OfAny<F>(List<Part<F>> parts) implements Part<F> {
    @Override
    public boolean isRefutedBy(F filter) {
      for (Part<F> part : parts) {
        if (!part.isRefutedBy(filter)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public boolean isCoveredBy(F filter) {
      return areCoveredBy(filter, parts);
    }
  }

  private static <F> boolean areCoveredBy(F filter, List<Part<F>> parts) {
    for (Part<F> part : parts) {
      if (!part.isCoveredBy(filter)) {
        return false;
      }
    }
    return true;
  }

  private final Probe<F> probe;
  private final boolean ofBoundsAlone;
  private final Part<F> question;

  /** Asks for every element of a predicate at once. */
  public RegionJudge(RoutePredicate predicate, Probe<F> probe) {
    this.probe = probe;
    this.ofBoundsAlone = isOfBoundsAlone(predicate);
    this.question = ask(predicate, probe);
  }

  private static boolean isOfBoundsAlone(RoutePredicate predicate) {
    if (predicate instanceof AllOf all) {
      return all.parts().stream().allMatch(RegionJudge::isOfBoundsAlone);
    }
    return predicate instanceof Range
        || predicate instanceof AnyOf any
            && any.parts().stream().allMatch(RegionJudge::isOfBoundsAlone);
  }

  private static <F> Part<F> ask(RoutePredicate predicate, Probe<F> probe) {
    if (predicate instanceof Element element) {
      return new OfElement<>(probe, element.index(), probe.mayHold(element.hash()));
    }
    if (predicate instanceof Range range) {
      return new OfRange<>(probe, range);
    }
    return predicate instanceof AllOf all
        ? new OfAll<>(askAll(all.parts(), probe))
        : new OfAny<>(askAll(((AnyOf) predicate).parts(), probe));
  }

  private static <F> List<Part<F>> askAll(List<RoutePredicate> parts, Probe<F> probe) {
    return parts.stream().map(part -> ask(part, probe)).toList();
  }

  /** Whether a filter that is trusted proves that its region may be left out. */
  public boolean excludes(F filter) {
    return question.isRefutedBy(filter);
  }

  /** Why a filter that excludes nothing could not be asked; null if it says that rows may be. */
  public OpenReason whyOpen(F filter) {
    return question.isCoveredBy(filter) ? null : OpenReason.NOT_COVERED;
  }

  /** Whether the question is about bounds alone, and a filter that excludes nothing has none. */
  public boolean isUndecided(F filter) {
    return ofBoundsAlone
        && question.isCoveredBy(filter)
        && probe.bounds(filter) == RegionBounds.EVERYTHING;
  }
}
