/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.push.SegmentPiece;
import io.hbaseindex.core.push.StagingCredit;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import java.util.List;
import java.util.Map;

/** One message of each kind between region servers, master and clients, with every part in it. */
final class WireExamples {
  static final LeaseToken TOKEN = new LeaseToken(-7, -1234567890123L, 1700000000000L);
  static final IndexCoverage BY_EMAIL = new IndexCoverage(3, 1, -99, 0x5ea1);

  private WireExamples() {}

  static Push pushOfEveryKind() {
    FilterChanges changes = new FilterChanges();
    changes.segmentAdded(2, new SizeClass(3, 40));
    changes.bitSet(2, 119);
    changes.bitSet(2, 0);
    changes.elementSet(2, new SizeClass(3, 40), -99, 0b111);
    changes.elementSet(3, new SizeClass(4, 40), 99, 0b1011);
    changes.elementSet(3, new SizeClass(4, 40), 98, 0b1111);
    changes.bitCleared(1, 7);
    changes.segmentDropped(1);
    RegionIncarnation incarnation =
        new RegionIncarnation("ns:t", "0123abcd", 17, 5, range("a", "b"));
    return new Push(
        "host,16020,1700000000000",
        42,
        TOKEN,
        1_234_567_890L,
        true,
        List.of(
            new RegionMessage.OpenRegion(9, incarnation, 3),
            new RegionMessage.StageChunk(
                9,
                4,
                0,
                true,
                List.of(BY_EMAIL),
                RegionBounds.ofValues(
                        Map.of(3, List.of("a@x".getBytes(), "a@yet-another-name".getBytes())))
                    .ofAll(List.of(3, 4)),
                List.of(new SegmentPiece(2, new SizeClass(3, 40), 1, new long[] {-1, 5}))),
            new RegionMessage.ApplyPage(
                9, 4, 1, changes, RegionBounds.ofValues(Map.of(3, List.of("b@".getBytes())))),
            new RegionMessage.RenewTrust(9, 4, 1),
            new RegionMessage.StayOpen(9, 4, OpenReason.SLOW_MASTER),
            new RegionMessage.ReleaseRegion(9)));
  }

  static PushReply reply() {
    return new PushReply(
        42,
        TOKEN,
        2_000_000_000L,
        true,
        false,
        new StagingCredit(4_096, 10_000_000),
        List.of(
            new RegionReply(9, RegionReply.Verdict.TRUSTED, 4, 1, null),
            new RegionReply(10, RegionReply.Verdict.OPEN, 4, 0, OpenReason.ABSENT)));
  }

  static RouteCodec.RouteRequest request() {
    RoutePredicate element = new RoutePredicate.Element(BY_EMAIL, -5);
    return new RouteCodec.RouteRequest(
        "ns:t",
        new RoutePredicate.AllOf(
            List.of(
                element,
                new RoutePredicate.AnyOf(List.of(element, element)),
                new RoutePredicate.Range(BY_EMAIL, ValueRange.greaterThan("a@".getBytes())),
                new RoutePredicate.Range(BY_EMAIL, ValueRange.lessThan("b@".getBytes())))));
  }

  static RouteAnswer answer() {
    return new RouteAnswer(
        List.of(
            new RouteAnswer.Candidate(range("", "m"), "host,1,2", null),
            new RouteAnswer.Candidate(range("m", ""), null, OpenReason.ABSENT)),
        10,
        1,
        1);
  }

  private static RowRange range(String start, String end) {
    return new RowRange(start.getBytes(), end.getBytes());
  }
}
