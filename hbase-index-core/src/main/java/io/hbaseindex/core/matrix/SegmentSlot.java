/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.SizeClass;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * One segment of one owner: the place its bits are kept in, a column of a block or a plane of its
 * own, and the places that they are being copied to. Belongs to the updater; readers never see it.
 */
final class SegmentSlot {
  /** Bytes of heap of a slot, its place, and its share of the chain. */
  static final long BYTES = 88;

  static final Comparator<SegmentSlot> BY_ID = Comparator.comparingInt(SegmentSlot::id);

  private final int id;
  private final int owner;
  private final ClassMatrix home;
  private Place place;
  private List<Place> followers = List.of();
  private boolean gone;
  private int looseAt;

  SegmentSlot(int id, int owner, ClassMatrix home, Place place) {
    this.id = id;
    this.owner = owner;
    this.home = home;
    this.place = place;
  }

  int id() {
    return id;
  }

  int owner() {
    return owner;
  }

  ClassMatrix home() {
    return home;
  }

  SizeClass sizeClass() {
    return home.sizeClass();
  }

  Place place() {
    return place;
  }

  void moveTo(Place other) {
    place = other;
  }

  /** Where it stands among the loose segments of its class, if it is one. */
  int looseAt() {
    return looseAt;
  }

  void standsAt(int at) {
    looseAt = at;
  }

  /** From now on every change is made at another place, too. */
  void follow(Place other) {
    followers = Stream.concat(followers.stream(), Stream.of(other)).toList();
  }

  void unfollow(Place other) {
    followers = followers.stream().filter(follower -> follower != other).toList();
  }

  /** The segment has been taken away; whatever copies it may stop. */
  void end() {
    gone = true;
  }

  boolean isGone() {
    return gone;
  }

  void set(long position) {
    place.set(position);
    for (Place follower : followers) {
      follower.set(position);
    }
  }

  void clear(long position) {
    place.clear(position);
    for (Place follower : followers) {
      follower.clear(position);
    }
  }

  long word(int index) {
    return place.word(index);
  }
}
