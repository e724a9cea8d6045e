package io.hbaseindex.core.publish;

import io.hbaseindex.core.publish.RoutePredicate.AllOf;
import io.hbaseindex.core.publish.RoutePredicate.AnyOf;
import io.hbaseindex.core.publish.RoutePredicate.Element;
import io.hbaseindex.core.routing.OwnerSet;
import io.hbaseindex.core.routing.RouteReading;
import java.util.List;

/**
 * A predicate asked of the routing matrix: says of a filter whether it proves that no row of its
 * region satisfies the predicate.
 */
sealed interface NegativeProof {
  /** Whether the filter covers enough of what is asked, and answers negative. */
  boolean holdsFor(TrustedFilter filter);

  /** Whether the filter covers all that is asked. */
  boolean asks(TrustedFilter filter);

  /** Asks the matrix for every element of a predicate. */
  static NegativeProof of(RoutePredicate predicate, RouteReading reading) {
    if (predicate instanceof Element element) {
      return new OfElement(element.index(), reading.candidates(element.hash()));
    }
    if (predicate instanceof AllOf all) {
      return new OfAll(all.parts().stream().map(part -> of(part, reading)).toList());
    }
    return new OfAny(((AnyOf) predicate).parts().stream().map(part -> of(part, reading)).toList());
  }

  /** An element is absent if the filter covers its index and is not among the candidates. */
  record OfElement(IndexCoverage index, OwnerSet candidates) implements NegativeProof {
    @Override
    public boolean holdsFor(TrustedFilter filter) {
      return filter.covers(index) && !candidates.contains(filter.owner());
    }

    @Override
    public boolean asks(TrustedFilter filter) {
      return filter.covers(index);
    }
  }

  /** A conjunction fails where one of its parts does. */
  record OfAll(List<NegativeProof> parts) implements NegativeProof {
    @Override
    public boolean holdsFor(TrustedFilter filter) {
      return parts.stream().anyMatch(part -> part.holdsFor(filter));
    }

    @Override
    public boolean asks(TrustedFilter filter) {
      return parts.stream().allMatch(part -> part.asks(filter));
    }
  }

  /** A disjunction fails where all of its parts do. */
  record OfAny(List<NegativeProof> parts) implements NegativeProof {
    @Override
    public boolean holdsFor(TrustedFilter filter) {
      return parts.stream().allMatch(part -> part.holdsFor(filter));
    }

    @Override
    public boolean asks(TrustedFilter filter) {
      return parts.stream().allMatch(part -> part.asks(filter));
    }
  }
}
