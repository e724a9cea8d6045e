/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WireCodecTest {
  private static final IndexCoverage BY_EMAIL = WireExamples.BY_EMAIL;

  @Test
  void push_ofEveryKindOfMessage_isReadAsWritten() throws Exception {
    Push push = WireExamples.pushOfEveryKind();

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
    PushReply reply = WireExamples.reply();

    assertThat(PushCodec.decodeReply(PushCodec.encode(reply))).isEqualTo(reply);
  }

  @Test
  void routeRequest_isReadAsWritten() throws Exception {
    RouteCodec.RouteRequest request = WireExamples.request();

    assertThat(RouteCodec.decodeRequest(RouteCodec.encode(request))).isEqualTo(request);
  }

  @Test
  void routeAnswer_isReadAsWritten() throws Exception {
    RouteAnswer answer = WireExamples.answer();

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
        new Kind(
            BlobKind.PUSH, PushCodec.encode(WireExamples.pushOfEveryKind()), PushCodec::decodePush),
        new Kind(
            BlobKind.PUSH_REPLY, PushCodec.encode(WireExamples.reply()), PushCodec::decodeReply),
        new Kind(
            BlobKind.ROUTE_REQUEST,
            RouteCodec.encode(WireExamples.request()),
            RouteCodec::decodeRequest),
        new Kind(
            BlobKind.ROUTE_ANSWER,
            RouteCodec.encode(WireExamples.answer()),
            RouteCodec::decodeAnswer));
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
}
