/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
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
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WireCodecTest {
  private static final LeaseToken TOKEN = new LeaseToken(-7, -1234567890123L, 1700000000000L);
  private static final IndexCoverage BY_EMAIL = new IndexCoverage(3, 1, -99, 0x5ea1);

  @Test
  void push_ofEveryKindOfMessage_isReadAsWritten() throws Exception {
    Push push = pushOfEveryKind();

    Push read = PushCodec.decodePush(PushCodec.encode(push));

    assertThat(read.server()).isEqualTo(push.server());
    assertThat(read.number()).isEqualTo(push.number());
    assertThat(read.token()).isEqualTo(push.token());
    assertThat(read.messages()).usingRecursiveComparison().isEqualTo(push.messages());
    assertThat(PushCodec.encode(read)).isEqualTo(PushCodec.encode(push));
  }

  @Test
  void push_withoutToken_isReadAsWritten() throws Exception {
    Push push = new Push("rs,1,2", 1, null, 0, List.of());

    assertThat(PushCodec.decodePush(PushCodec.encode(push))).isEqualTo(push);
  }

  @Test
  void changes_ofAGrowingAndShrinkingChain_areReadAsWritten() {
    Seeds.forEach(
        100,
        seed -> {
          FilterChanges changes = new FilterChanges();
          ScalableSplitCountingBloomFilter filter =
              new ScalableSplitCountingBloomFilter(FilterGeometry.doubling(4, 0.1), changes);
          SplittableRandom random = new SplittableRandom(seed);
          List<Long> present = new ArrayList<>();
          for (int step = 0; step < 200; step++) {
            if (present.isEmpty() || random.nextInt(3) > 0) {
              present.add(random.nextLong());
              filter.insert(present.get(present.size() - 1));
            } else {
              filter.delete(present.remove(random.nextInt(present.size())));
            }
          }
          assertThat(roundTrip(changes)).isEqualTo(changes);
        });
  }

  @Test
  void novelValues_inAFilterOfAMillion_takeTwelveBytesAtMost() {
    FilterChanges changes = new FilterChanges();
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(FilterGeometry.standard(), changes, 1_000_000, 10);
    changes.clear();
    new SplittableRandom(1).longs(1000).forEach(filter::insert);
    WireWriter out = new WireWriter();
    ChangesCodec.write(out, changes);
    double perValue = out.toByteArray().length / 1000.0;
    System.out.printf("bytes on the wire per novel value, one million values: %.1f%n", perValue);

    assertThat(perValue).isLessThanOrEqualTo(12);
  }

  @Test
  void element_inSlicesThatItsSegmentLacks_isRefused() {
    WireWriter out = new WireWriter();
    out.uint8(5);
    out.var(0);
    out.uint8(3);
    out.var(40);
    out.var(1);
    out.int64(-1);
    out.var(0b1000);
    out.uint8(0);
    assertThatThrownBy(() -> ChangesCodec.read(new WireReader(ByteBuffer.wrap(out.toByteArray()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an element set slices 1000 of 3");
  }

  @Test
  void reply_isReadAsWritten() throws Exception {
    PushReply reply = reply();

    assertThat(PushCodec.decodeReply(PushCodec.encode(reply))).isEqualTo(reply);
  }

  @Test
  void routeRequest_isReadAsWritten() throws Exception {
    RouteCodec.RouteRequest request = request();

    assertThat(RouteCodec.decodeRequest(RouteCodec.encode(request))).isEqualTo(request);
  }

  @Test
  void routeAnswer_isReadAsWritten() throws Exception {
    RouteAnswer answer = answer();

    assertThat(RouteCodec.decodeAnswer(RouteCodec.encode(answer))).isEqualTo(answer);
  }

  @Test
  void predicate_nestedTooDeep_isRefused() {
    RoutePredicate predicate = new RoutePredicate.Element(BY_EMAIL, 1);
    for (int depth = 0; depth <= RouteCodec.MAX_DEPTH; depth++) {
      predicate = new RoutePredicate.AllOf(List.of(predicate));
    }
    byte[] blob = RouteCodec.encode(new RouteCodec.RouteRequest("t", predicate));

    assertThatThrownBy(() -> RouteCodec.decodeRequest(blob))
        .isInstanceOf(MalformedBlobException.class)
        .hasMessageContaining("a predicate is deeper than 32");
  }

  @Test
  void predicate_ofTooManyParts_isRefused() throws Exception {
    byte[] largest = RouteCodec.encode(anyOf(RouteCodec.MAX_NODES - 1));
    byte[] tooLarge = RouteCodec.encode(anyOf(RouteCodec.MAX_NODES));

    assertThat(RouteCodec.decodeRequest(largest)).isEqualTo(anyOf(RouteCodec.MAX_NODES - 1));
    assertThatThrownBy(() -> RouteCodec.decodeRequest(tooLarge))
        .isInstanceOf(MalformedBlobException.class)
        .hasMessageContaining("larger than 16384 nodes");
  }

  private static RouteCodec.RouteRequest anyOf(int elements) {
    List<RoutePredicate> parts =
        LongStream.range(0, elements)
            .<RoutePredicate>mapToObj(hash -> new RoutePredicate.Element(BY_EMAIL, hash))
            .toList();
    return new RouteCodec.RouteRequest("t", new RoutePredicate.AnyOf(parts));
  }

  @Test
  void everyKind_cutShortAnywhereOrFlippedAnywhere_isRefused() {
    for (Kind kind : kinds()) {
      for (int length = 0; length < kind.blob.length; length++) {
        byte[] cut = Arrays.copyOf(kind.blob, length);
        assertThatThrownBy(() -> kind.reader.read(cut)).isInstanceOf(MalformedBlobException.class);
      }
      for (int bit = 0; bit < 8 * kind.blob.length; bit++) {
        byte[] flipped = kind.blob.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        assertThatThrownBy(() -> kind.reader.read(flipped))
            .isInstanceOf(MalformedBlobException.class);
      }
    }
  }

  @Test
  void everyKind_resealedAroundGarbage_isReadOrRefusedAndNothingElse() {
    SplittableRandom random = new SplittableRandom(6);
    for (Kind kind : kinds()) {
      for (int round = 0; round < 20_000; round++) {
        byte[] body = Arrays.copyOfRange(kind.blob, 16, kind.blob.length - 4);
        for (int change = random.nextInt(1, 5); change > 0; change--) {
          body[random.nextInt(body.length)] = (byte) random.nextInt();
        }
        try {
          kind.reader.read(Blob.seal(kind.kind, body));
        } catch (MalformedBlobException refused) {
          assertThat(refused).hasMessageStartingWith("Cannot read " + kind.kind);
        }
      }
    }
  }

  @Test
  void constants_keepTheirPlaces() {
    // They are sent by ordinal: new ones go to the end.
    assertThat(Arrays.toString(RegionReply.Verdict.values()))
        .isEqualTo(
            "[OPEN, STAGED, PREPARED, UNSTAGED, APPLIED, TRUSTED, STALE, FENCED, RELEASED, UNKNOWN]");
    assertThat(Arrays.toString(OpenReason.values()))
        .isEqualTo(
            "[NOT_READY, PUBLISHING, SLOW_MASTER, TOO_MANY_CHANGES, OVER_BUDGET, MALFORMED, LOST,"
                + " FENCED, NEW_MASTER, SUSPENDED, CLOSING, LAPSED, YOUNG_MASTER, UNCERTAIN_MASTER, UNCONFIRMED_CLOCK, NOT_COVERED,"
                + " ABSENT]");
  }

  private interface Reader {
    Object read(byte[] blob) throws MalformedBlobException;
  }

  private record Kind(BlobKind kind, byte[] blob, Reader reader) {}

  private static List<Kind> kinds() {
    return List.of(
        new Kind(BlobKind.PUSH, PushCodec.encode(pushOfEveryKind()), PushCodec::decodePush),
        new Kind(BlobKind.PUSH_REPLY, PushCodec.encode(reply()), PushCodec::decodeReply),
        new Kind(BlobKind.ROUTE_REQUEST, RouteCodec.encode(request()), RouteCodec::decodeRequest),
        new Kind(BlobKind.ROUTE_ANSWER, RouteCodec.encode(answer()), RouteCodec::decodeAnswer));
  }

  private static FilterChanges roundTrip(FilterChanges changes) {
    Push push = new Push("s", 1, null, 0, List.of(new RegionMessage.ApplyPage(1, 2, 3, changes)));
    try {
      Push read = PushCodec.decodePush(PushCodec.encode(push));
      return ((RegionMessage.ApplyPage) read.messages().get(0)).changes();
    } catch (MalformedBlobException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static Push pushOfEveryKind() {
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
                List.of(new SegmentPiece(2, new SizeClass(3, 40), 1, new long[] {-1, 5}))),
            new RegionMessage.ApplyPage(9, 4, 1, changes),
            new RegionMessage.RenewTrust(9, 4, 1),
            new RegionMessage.StayOpen(9, 4, OpenReason.SLOW_MASTER),
            new RegionMessage.ReleaseRegion(9)));
  }

  private static PushReply reply() {
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

  private static RouteCodec.RouteRequest request() {
    RoutePredicate element = new RoutePredicate.Element(BY_EMAIL, -5);
    return new RouteCodec.RouteRequest(
        "ns:t",
        new RoutePredicate.AllOf(
            List.of(element, new RoutePredicate.AnyOf(List.of(element, element)))));
  }

  private static RouteAnswer answer() {
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
