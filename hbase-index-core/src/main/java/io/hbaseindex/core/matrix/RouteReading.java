/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * One reading of a {@link RoutingMatrix} by one reader, valid during {@link RoutingMatrix#read}.
 *
 * <p>As long as it lasts no owner's bits are cleared and no owner id changes hands, as {@link
 * RoutingMatrix} describes. For the thread that was given it only.
 */
@InterfaceAudience.Private
public final class RouteReading {
  private final ClassView[] classes;
  private final int idLimit;
  private boolean ended;

  RouteReading(ClassView[] classes, int idLimit) {
    this.classes = classes;
    this.idLimit = idLimit;
  }

  /** The owners that may hold the element. */
  public OwnerSet candidates(long element) {
    OwnerSet owners = new OwnerSet(idLimit);
    addCandidates(element, owners);
    return owners;
  }

  /** Adds the owners that may hold the element to a set, which saves allocating one. */
  public void addCandidates(long element, OwnerSet into) {
    if (ended) {
      throw new IllegalStateException(
          "Cannot ask for candidates: the reading has ended; ask within RoutingMatrix.read");
    }
    for (ClassView sizeClass : classes) {
      sizeClass.collect(element, into);
    }
  }

  /** The owners that may hold at least one of the elements; none if there are no elements. */
  public OwnerSet candidatesOfAny(long... elements) {
    OwnerSet owners = new OwnerSet(idLimit);
    for (long element : elements) {
      addCandidates(element, owners);
    }
    return owners;
  }

  /** The owners that may hold every one of the elements, of which there must be at least one. */
  public OwnerSet candidatesOfAll(long... elements) {
    if (elements.length == 0) {
      throw new IllegalArgumentException(
          "Cannot ask who holds all elements: no element was given; name at least one");
    }
    OwnerSet owners = candidates(elements[0]);
    OwnerSet next = elements.length == 1 ? null : new OwnerSet(idLimit);
    for (int i = 1; i < elements.length && !owners.isEmpty(); i++) {
      next.clear();
      addCandidates(elements[i], next);
      owners.retainAll(next);
    }
    return owners;
  }

  void end() {
    ended = true;
  }
}
