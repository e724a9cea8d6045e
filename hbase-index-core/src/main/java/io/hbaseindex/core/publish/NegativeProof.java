package io.hbaseindex.core.publish;

import io.hbaseindex.core.routing.OwnerSet;
import io.hbaseindex.core.routing.RouteReading;
import java.util.ArrayList;
import java.util.List;

/**
 * A predicate asked of the routing matrix: says of a filter whether it proves that no row of its
 * region satisfies the predicate.
 */
interface NegativeProof {
  /** Whether the filter covers what is asked and answers negative. */
  boolean holdsFor(TrustedFilter filter);

  /** Asks the matrix for every element of a predicate. */
  static NegativeProof of(RoutePredicate predicate, RouteReading reading) {
    if (predicate instanceof RoutePredicate.Element element) {
      OwnerSet candidates = reading.candidates(element.hash());
      return filter -> filter.covers(element.index()) && !candidates.contains(filter.owner());
    }
    if (predicate instanceof RoutePredicate.AllOf all) {
      List<NegativeProof> parts = parts(all.parts(), reading);
      return filter -> parts.stream().anyMatch(part -> part.holdsFor(filter));
    }
    List<NegativeProof> parts = parts(((RoutePredicate.AnyOf) predicate).parts(), reading);
    return filter -> parts.stream().allMatch(part -> part.holdsFor(filter));
  }

  private static List<NegativeProof> parts(List<RoutePredicate> parts, RouteReading reading) {
    List<NegativeProof> proofs = new ArrayList<>(parts.size());
    parts.forEach(part -> proofs.add(of(part, reading)));
    return proofs;
  }
}
