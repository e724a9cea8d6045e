/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.ApplyPage;
import io.hbaseindex.core.push.RegionMessage.OpenRegion;
import io.hbaseindex.core.push.RegionMessage.ReleaseRegion;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.RegionMessage.StayOpen;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.push.SegmentPiece;
import io.hbaseindex.core.push.StagingCredit;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RowRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a region server pushes to the master, and the master's answer, as blobs. Bodies:
 *
 * <pre>
 *   PUSH        text server │ var number │ echo? │ uint8 wants credit │ var count │ message*
 *   echo?       uint8 0, or uint8 1 │ token │ var held ns
 *   token       int64 master │ int64 issued ns │ int64 issued wall ms
 *   message     uint8 kind │ var region │ …
 *     1 open    text table │ text name │ var id │ var epoch │ bytes start │ bytes end │ var abandoned
 *     2 stage   var generation │ var number │ uint8 last │ var n │ coverage* │ bounds │ var n │ piece*
 *     3 apply   var generation │ var page │ changes ({@link ChangesCodec}) │ bounds
 *     4 renew   var generation │ var page
 *     5 stay    var abandoned │ uint8 reason
 *     6 release
 *   bounds      {@link Bounds}
 *   coverage    var index │ var version │ int64 seed │ int64 shape
 *   piece       var segment │ uint8 slices │ var slots │ var first word │ var n │ int64*
 *
 *   PUSH_REPLY  var number │ token │ var lease │ uint8 senior │ uint8 in step │ credit │ var count │ reply*
 *   credit      var bytes │ var ask after ns
 *   reply       var region │ uint8 verdict │ var generation │ var position │ uint8 reason + 1
 * </pre>
 */
@InterfaceAudience.Private
public final class PushCodec {
  private static final int OPEN = 1;
  private static final int STAGE = 2;
  private static final int APPLY = 3;
  private static final int RENEW = 4;
  private static final int STAY = 5;
  private static final int RELEASE = 6;

  private PushCodec() {}

  /** The bytes of a push. */
  public static byte[] encode(Push push) {
    WireWriter out = new WireWriter();
    out.text(push.server());
    out.var(push.number());
    out.bool(push.token() != null);
    if (push.token() != null) {
      writeToken(out, push.token());
      out.var(push.heldNanos());
    }
    out.bool(push.wantsCredit());
    out.var(push.messages().size());
    push.messages().forEach(message -> writeMessage(out, message));
    return Blob.seal(BlobKind.PUSH, out.toByteArray());
  }

  /** Reads a push; refuses whatever is not one, whole and unharmed. */
  public static Push decodePush(byte[] blob) throws MalformedBlobException {
    return Blob.read(
        BlobKind.PUSH,
        blob,
        body -> {
          WireReader in = new WireReader(body);
          String server = in.text();
          long number = in.var();
          LeaseToken token = in.bool() ? readToken(in) : null;
          long held = token == null ? 0 : in.var();
          boolean wantsCredit = in.bool();
          List<RegionMessage> messages = new ArrayList<>();
          for (int left = in.count(2); left > 0; left--) {
            messages.add(readMessage(in));
          }
          return new Push(server, number, token, held, wantsCredit, messages);
        });
  }

  /** The bytes of an answer. */
  public static byte[] encode(PushReply reply) {
    WireWriter out = new WireWriter();
    out.var(reply.number());
    writeToken(out, reply.token());
    out.var(reply.leaseNanos());
    out.bool(reply.senior());
    out.bool(reply.inStep());
    out.var(reply.credit().bytes());
    out.var(reply.credit().askAfterNanos());
    out.var(reply.replies().size());
    for (RegionReply answer : reply.replies()) {
      out.var(answer.region());
      out.uint8(answer.verdict().ordinal());
      out.var(answer.generation());
      out.var(answer.position());
      Reasons.write(out, answer.reason());
    }
    return Blob.seal(BlobKind.PUSH_REPLY, out.toByteArray());
  }

  /** Reads an answer; refuses whatever is not one, whole and unharmed. */
  public static PushReply decodeReply(byte[] blob) throws MalformedBlobException {
    return Blob.read(
        BlobKind.PUSH_REPLY,
        blob,
        body -> {
          WireReader in = new WireReader(body);
          long number = in.var();
          LeaseToken token = readToken(in);
          long leaseNanos = in.var();
          boolean senior = in.bool();
          boolean inStep = in.bool();
          StagingCredit credit = new StagingCredit(in.var(), in.var());
          List<RegionReply> replies = new ArrayList<>();
          for (int left = in.count(5); left > 0; left--) {
            replies.add(
                new RegionReply(
                    in.varInt(),
                    in.constant(RegionReply.Verdict.values()),
                    in.var(),
                    in.var(),
                    Reasons.read(in)));
          }
          return new PushReply(number, token, leaseNanos, senior, inStep, credit, replies);
        });
  }

  private static void writeToken(WireWriter out, LeaseToken token) {
    out.int64(token.master());
    out.int64(token.issuedNanos());
    out.int64(token.issuedWallMillis());
  }

  private static LeaseToken readToken(WireReader in) {
    return new LeaseToken(in.int64(), in.int64(), in.int64());
  }

  private static void writeMessage(WireWriter out, RegionMessage message) {
    if (message instanceof OpenRegion open) {
      start(out, OPEN, message);
      RegionIncarnation region = open.incarnation();
      out.text(region.table());
      out.text(region.encodedName());
      out.var(region.regionId());
      out.var(region.epoch());
      out.bytes(region.range().start());
      out.bytes(region.range().end());
      out.var(open.abandoned());
    } else if (message instanceof StageChunk chunk) {
      start(out, STAGE, message);
      writeChunk(out, chunk);
    } else if (message instanceof ApplyPage page) {
      start(out, APPLY, message);
      out.var(page.generation());
      out.var(page.page());
      ChangesCodec.write(out, page.changes());
      Bounds.write(out, page.widened());
    } else if (message instanceof RenewTrust renewal) {
      start(out, RENEW, message);
      out.var(renewal.generation());
      out.var(renewal.page());
    } else if (message instanceof StayOpen stay) {
      start(out, STAY, message);
      out.var(stay.abandoned());
      out.uint8(stay.reason().ordinal());
    } else if (message instanceof ReleaseRegion) {
      start(out, RELEASE, message);
    } else {
      throw new AssertionError("no such kind of message: " + message);
    }
  }

  private static void start(WireWriter out, int kind, RegionMessage message) {
    out.uint8(kind);
    out.var(message.region());
  }

  private static RegionMessage readMessage(WireReader in) {
    int kind = in.uint8();
    int region = in.varInt();
    return switch (kind) {
      case OPEN -> new OpenRegion(region, readIncarnation(in), in.var());
      case STAGE -> readChunk(in, region);
      case APPLY ->
          new ApplyPage(region, in.var(), in.var(), ChangesCodec.read(in), Bounds.read(in));
      case RENEW -> new RenewTrust(region, in.var(), in.var());
      case STAY -> new StayOpen(region, in.var(), in.constant(OpenReason.values()));
      case RELEASE -> new ReleaseRegion(region);
      default -> throw new IllegalArgumentException("a message was of kind " + kind);
    };
  }

  private static RegionIncarnation readIncarnation(WireReader in) {
    return new RegionIncarnation(
        in.text(), in.text(), in.var(), in.var(), new RowRange(in.bytes(), in.bytes()));
  }

  private static void writeChunk(WireWriter out, StageChunk chunk) {
    out.var(chunk.generation());
    out.var(chunk.number());
    out.bool(chunk.last());
    out.var(chunk.coverage().size());
    chunk.coverage().forEach(index -> Coverages.write(out, index));
    Bounds.write(out, chunk.bounds());
    out.var(chunk.pieces().size());
    for (SegmentPiece piece : chunk.pieces()) {
      out.var(piece.segment());
      out.uint8(piece.sizeClass().slices());
      out.var(piece.sizeClass().slots());
      out.var(piece.firstWord());
      out.var(piece.words().length);
      for (long word : piece.words()) {
        out.int64(word);
      }
    }
  }

  private static StageChunk readChunk(WireReader in, int region) {
    long generation = in.var();
    int number = in.varInt();
    boolean last = in.bool();
    List<IndexCoverage> coverage = new ArrayList<>();
    for (int left = in.count(18); left > 0; left--) {
      coverage.add(Coverages.read(in));
    }
    RegionBounds bounds = Bounds.read(in);
    List<SegmentPiece> pieces = new ArrayList<>();
    for (int left = in.count(5); left > 0; left--) {
      pieces.add(readPiece(in));
    }
    return new StageChunk(region, generation, number, last, coverage, bounds, pieces);
  }

  private static SegmentPiece readPiece(WireReader in) {
    int segment = in.varInt();
    SizeClass shape = new SizeClass(in.uint8(), in.var());
    int firstWord = in.varInt();
    long[] words = new long[in.count(Long.BYTES)];
    for (int at = 0; at < words.length; at++) {
      words[at] = in.int64();
    }
    return new SegmentPiece(segment, shape, firstWord, words);
  }
}
