/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.region.context.FilterCustody.Held;
import io.hbaseindex.region.lifecycle.CountingMetrics;
import io.hbaseindex.region.lifecycle.ledger.LedgerRecord.Entry;
import io.hbaseindex.region.lifecycle.ledger.RegionLedger.Findings;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegionLedgerTest {

  private static final long INCARNATION = 7;
  private static final Map<Integer, Integer> ONE_INDEX = Map.of(1, 1);

  @TempDir private java.nio.file.Path directory;
  private final MemoryLedger store = new MemoryLedger();
  private final CountingMetrics metrics = new CountingMetrics();
  private boolean waited;

  @Test
  void reconcile_sameFiles_trustsWhatWasBuilt() {
    built(List.of("f/a"));

    Findings findings = opened().reconcile(ONE_INDEX, List.of("f/a"));

    assertThat(findings.trusted()).containsEntry(1, Entry.built(1, 40));
    assertThat(findings.doubt()).isEmpty();
  }

  @Test
  void reconcile_noLedger_trustsNothing() {
    Findings findings = opened().reconcile(ONE_INDEX, List.of());

    assertThat(findings.trusted()).isEmpty();
    assertThat(findings.doubt()).contains("the region has no ledger yet");
  }

  @Test
  void reconcile_unknownFile_trustsNothingAndSaysWhy() {
    built(List.of("f/a"));

    Findings findings = opened().reconcile(ONE_INDEX, List.of("f/a", "f/b"));

    assertThat(findings.trusted()).isEmpty();
    assertThat(findings.doubt().orElseThrow()).contains("1 (f/b) unknown", "none gone");
  }

  @Test
  void reconcile_fileGone_trustsNothing() {
    built(List.of("f/a", "f/b"));

    assertThat(opened().reconcile(ONE_INDEX, List.of("f/a")).trusted()).isEmpty();
  }

  @Test
  void reconcile_otherIncarnation_trustsNothing() {
    built(List.of("f/a"));

    RegionLedger other = new RegionLedger(store, INCARNATION + 1, metrics);
    other.load();

    assertThat(other.reconcile(ONE_INDEX, List.of("f/a")).trusted()).isEmpty();
  }

  @Test
  void reconcile_otherVersion_trustsNothingOfThatIndex() {
    built(List.of("f/a"));

    assertThat(opened().reconcile(Map.of(1, 2), List.of("f/a")).trusted()).isEmpty();
  }

  @Test
  void reconcile_filesFlushedInReplay_areKnown() {
    built(List.of("f/a"));

    RegionLedger ledger = opened();
    ledger.fileAdded("f/b");

    assertThat(ledger.reconcile(ONE_INDEX, List.of("f/a", "f/b")).trusted()).hasSize(1);
  }

  @Test
  void reconcile_unreadableLedger_trustsNothing() {
    built(List.of("f/a"));

    store.failing = true;
    RegionLedger ledger = opened();
    store.failing = false;

    Findings findings = ledger.reconcile(ONE_INDEX, List.of("f/a"));
    assertThat(findings.trusted()).isEmpty();
    assertThat(findings.doubt().orElseThrow()).contains("disk on fire");
  }

  @Test
  void reconcile_logBypassedOneIndex_keepsTheOther() {
    RegionLedger first = opened();
    first.reconcile(Map.of(1, 1, 2, 1), List.of("f/a"));
    first.built(Map.of(1, 1, 2, 1), 40);

    RegionLedger second = opened();
    second.doubt(2);

    assertThat(second.reconcile(Map.of(1, 1, 2, 1), List.of("f/a")).trusted()).containsOnlyKeys(1);
  }

  @Test
  void reconcile_indexNoLongerWanted_isForgottenForGood() {
    built(List.of("f/a"));

    assertThat(opened().reconcile(Map.of(), List.of("f/a")).dropped()).containsExactly(1);
    assertThat(opened().reconcile(ONE_INDEX, List.of("f/a")).trusted()).isEmpty();
  }

  @Test
  void P14_forsake_nothingThatIsWrittenLater_isTrustedByTheNextOpen() {
    built(List.of("f/a"));
    RegionLedger ledger = opened();
    ledger.reconcile(ONE_INDEX, List.of("f/a"));
    AtomicInteger woken = new AtomicInteger();
    ledger.whenBehind(woken::incrementAndGet);
    ledger.hold(new Held(3, 50));

    ledger.forsake();
    assertThat(woken).hasValue(1);
    ledger.built(Map.of(1, 1), 60);
    ledger.fileAdded("f/b");
    ledger.synchronize(List.of("f/a", "f/b"));

    RegionLedger next = opened();
    assertThat(next.reconcile(ONE_INDEX, List.of("f/a", "f/b")).trusted()).isEmpty();
    assertThat(next.held()).isEmpty();
    assertThat(ledger.held()).as("right as long as the region is open").isPresent();
  }

  @Test
  void P14_flushThatMayHavePassedByALostBatch_isNotToldBeforeItsFateIsKnown() throws IOException {
    RegionLedger ledger = built(List.of("f/a"));
    AtomicInteger woken = new AtomicInteger();
    ledger.whenBehind(woken::incrementAndGet);
    Object failed = new Object();
    Object later = new Object();

    ledger.logged(failed);
    ledger.fileAdded("f/b");
    ledger.logged(later);
    ledger.synchronize(List.of("f/a", "f/b"));
    assertThat(opened().reconcile(ONE_INDEX, List.of("f/a", "f/b")).trusted()).isEmpty();

    ledger.forsake();
    ledger.settled(failed);
    assertThat(woken).hasValue(2);
    ledger.catchUp();
    assertThat(opened().reconcile(ONE_INDEX, List.of("f/a", "f/b")).trusted()).isEmpty();
  }

  @Test
  void P14_flushWhileABatchIsLogged_isToldWhenTheBatchIsInMemory() throws IOException {
    RegionLedger ledger = built(List.of("f/a"));
    AtomicInteger woken = new AtomicInteger();
    ledger.whenBehind(woken::incrementAndGet);
    Object batch = new Object();

    ledger.logged(batch);
    ledger.fileAdded("f/b");
    ledger.synchronize(List.of("f/a", "f/b"));
    ledger.catchUp();
    assertThat(store.stored().orElseThrow().files()).containsExactly("f/a");
    ledger.logged("later");
    ledger.settled(batch);
    assertThat(woken).hasValue(1);
    ledger.catchUp();
    assertThat(opened().reconcile(ONE_INDEX, List.of("f/a", "f/b")).trusted()).hasSize(1);
  }

  @Test
  void P14_close_tellsOfAllFlushes() {
    RegionLedger ledger = built(List.of("f/a"));
    ledger.logged("a batch whose last hooks were skipped");
    ledger.closing();
    ledger.fileAdded("f/b");
    ledger.synchronize(List.of("f/a", "f/b"));
    ledger.close();

    assertThat(opened().reconcile(ONE_INDEX, List.of("f/a", "f/b")).trusted()).hasSize(1);
  }

  @Test
  void P14_doubtOfTheLog_trustsNothingAndSaysWhy() {
    built(List.of("f/a"));
    RegionLedger ledger = opened();
    ledger.doubt("the log is strange");

    Findings findings = ledger.reconcile(ONE_INDEX, List.of("f/a"));
    assertThat(findings.trusted()).isEmpty();
    assertThat(findings.isDistrusted()).isTrue();
    assertThat(findings.doubt()).contains("the log is strange");
  }

  @Test
  void progress_isResumedByTheNextOpen() {
    RegionLedger ledger = opened();
    ledger.reconcile(ONE_INDEX, List.of("f/a"));
    ledger.progress(ONE_INDEX, new byte[] {5}, 40);

    assertThat(opened().reconcile(ONE_INDEX, List.of("f/a")).trusted())
        .containsEntry(1, Entry.building(1, new byte[] {5}, 40));
  }

  @Test
  void filesReplaced_ledgerFollowsCompaction() {
    RegionLedger ledger = built(List.of("f/a", "f/b"));
    ledger.filesReplaced(List.of("f/a", "f/b"), "f/c");

    assertThat(opened().reconcile(ONE_INDEX, List.of("f/c")).trusted()).hasSize(1);
  }

  @Test
  void synchronize_expiredFileVanished_isDropped() {
    RegionLedger ledger = built(List.of("f/a", "f/b"));
    ledger.synchronize(List.of("f/b"));

    assertThat(opened().reconcile(ONE_INDEX, List.of("f/b")).trusted()).hasSize(1);
  }

  @Test
  void synchronize_announcedButNotYetUsed_staysKnown() {
    RegionLedger ledger = built(List.of("f/a"));
    ledger.filesReplaced(List.of("f/a"), "f/b");
    ledger.synchronize(List.of("f/a"));

    assertThat(store.stored().orElseThrow().files()).containsExactly("f/b");
  }

  @Test
  void synchronize_fileNobodyAnnounced_staysUnknown() {
    RegionLedger ledger = built(List.of("f/a"));
    ledger.synchronize(List.of("f/a", "f/smuggled"));

    assertThat(opened().reconcile(ONE_INDEX, List.of("f/a", "f/smuggled")).trusted()).isEmpty();
  }

  @Test
  void forgetAll_isDurableBeforeItReturns() throws Exception {
    built(List.of("f/a")).forgetAll();

    assertThat(opened().reconcile(ONE_INDEX, List.of("f/a")).trusted()).isEmpty();
  }

  @Test
  void forgetAll_notDurable_fails() {
    RegionLedger ledger = built(List.of("f/a"));
    store.failing = true;

    assertThatThrownBy(ledger::forgetAll).isInstanceOf(IOException.class);
  }

  @Test
  void write_failing_isMadeUpForByTheNext() {
    RegionLedger ledger = built(List.of("f/a"));
    store.failing = true;
    ledger.filesReplaced(List.of("f/a"), "f/b");
    store.failing = false;
    ledger.close();

    assertThat(opened().reconcile(ONE_INDEX, List.of("f/b")).trusted()).hasSize(1);
  }

  @Test
  void write_failing_isCounted_andTriedAgainUntilItSucceeds() throws Exception {
    RegionLedger ledger = built(List.of("f/a"));
    AtomicInteger asked = new AtomicInteger();
    ledger.whenBehind(asked::incrementAndGet);

    store.full = true;
    ledger.filesReplaced(List.of("f/a"), "f/b");
    assertThat(asked).hasValue(1);
    assertThatThrownBy(ledger::catchUp).isInstanceOf(IOException.class);
    assertThat(metrics.of(IndexCounter.LEDGER_WRITES_FAILED)).isEqualTo(2);

    store.full = false;
    ledger.catchUp();
    assertThat(opened().reconcile(ONE_INDEX, List.of("f/b")).trusted()).hasSize(1);
    int writes = store.writes;
    ledger.catchUp();
    assertThat(store.writes).isEqualTo(writes);
  }

  @Test
  void forgetAll_noRoomForANewRecord_removesTheOldOne() throws Exception {
    RegionLedger ledger = built(List.of("f/a"));
    store.full = true;

    ledger.forgetAll();

    assertThat(store.stored()).isEmpty();
    store.full = false;
    ledger.catchUp();
    assertThat(store.stored().orElseThrow().indexes()).isEmpty();
  }

  @Test
  void close_writesOnce() {
    RegionLedger ledger = built(List.of("f/a"));
    int writes = store.writes;

    ledger.closing();
    ledger.progress(ONE_INDEX, new byte[] {5}, 40);
    ledger.synchronize(List.of("f/a"));
    ledger.fileAdded("f/b");
    ledger.synchronize(List.of("f/a", "f/b"));
    assertThat(store.writes).isEqualTo(writes);
    ledger.close();

    assertThat(store.writes).isEqualTo(writes + 1);
    assertThat(opened().reconcile(ONE_INDEX, List.of("f/a", "f/b")).trusted())
        .containsEntry(1, Entry.building(1, new byte[] {5}, 40));
  }

  @Test
  void closed_neverWritesAgain() {
    RegionLedger ledger = built(List.of("f/a"));
    ledger.close();
    int writes = store.writes;

    ledger.progress(ONE_INDEX, new byte[] {1}, 40);
    ledger.filesReplaced(List.of("f/a"), "f/b");

    assertThat(store.writes).isEqualTo(writes);
  }

  @Test
  void abandoned_leavesWhatWasStored() {
    RegionLedger ledger = built(List.of("f/a"));
    ledger.fileAdded("f/b");
    ledger.abandon();
    ledger.close();

    assertThat(store.stored().orElseThrow().files()).containsExactly("f/a");
  }

  @Test
  void trust_ofARegionThatNeverPublished_isDeniedByTheNextOpenOnly() {
    RegionLedger first = opened();
    assertThat(first.wasTrusted()).as("no ledger says otherwise").isTrue();
    publishingNothing(first);
    first.reconcile(ONE_INDEX, List.of("f/a"));
    assertThat(opened().wasTrusted()).as("its own wait is not over").isTrue();
    waited = true;
    assertThat(first.wasTrusted()).isTrue();
    first.close();

    assertThat(opened().wasTrusted()).isFalse();
  }

  @Test
  void trust_otherFiles_isNotDenied() {
    neverTrusted();
    RegionLedger ledger = opened();
    ledger.reconcile(ONE_INDEX, List.of("f/a", "f/b"));

    assertThat(ledger.wasTrusted()).isTrue();
  }

  @Test
  void trust_unreadableOrForeignLedger_isNotDenied() {
    neverTrusted();
    store.failing = true;
    assertThat(opened().wasTrusted()).isTrue();
    store.failing = false;
    RegionLedger other = new RegionLedger(store, INCARNATION + 1, metrics);
    other.load();
    assertThat(other.wasTrusted()).isTrue();
  }

  @Test
  void publishing_takesTheDenialBackDurably_beforeItReturns() throws Exception {
    neverTrusted();
    RegionLedger ledger = opened();
    ledger.publishing();

    assertThat(opened().wasTrusted()).isTrue();
    Findings found = ledger.reconcile(ONE_INDEX, List.of("f/a"));
    assertThat(found.trusted()).as("nothing is rebuilt for it").hasSize(1);
    assertThat(store.stored().orElseThrow().trusted()).isTrue();
  }

  @Test
  void publishing_nothingDeniedBefore_writesNothing() throws Exception {
    built(List.of("f/a"));
    int writes = store.writes;
    opened().publishing();

    assertThat(store.writes).isEqualTo(writes);
  }

  @Test
  void publishing_noRoomForANewRecord_removesTheDenial() throws Exception {
    neverTrusted();
    store.full = true;
    opened().publishing();

    assertThat(store.stored()).isEmpty();
  }

  @Test
  void publishing_denialCannotBeTakenBack_fails() {
    neverTrusted();
    RegionLedger ledger = opened();
    store.failing = true;

    assertThatThrownBy(ledger::publishing).isInstanceOf(IOException.class);
  }

  @Test
  void publishing_withoutHavingReadTheLedger_leavesNoDenial() throws Exception {
    neverTrusted();
    new RegionLedger(store, INCARNATION, metrics).publishing();

    assertThat(opened().wasTrusted()).isTrue();
  }

  @Test
  void publishing_serverThatLostTheRegion_cannotDenyTrustAnyMore() throws Exception {
    RegionLedger loser = openedIn(directory);
    loser.reconcile(ONE_INDEX, List.of("f/a"));
    publishingNothing(loser);
    RegionLedger owner = openedIn(directory);
    owner.publishing();
    waited = true;
    loser.synchronize(List.of("f/a"));

    assertThat(openedIn(directory).wasTrusted()).isTrue();
  }

  @Test
  void publishing_deniedByTheServerThatLostTheRegion_sinceTheLedgerWasRead_isTakenBack()
      throws Exception {
    RegionLedger loser = openedIn(directory);
    loser.reconcile(ONE_INDEX, List.of("f/a"));
    publishingNothing(loser);
    RegionLedger owner = openedIn(directory);
    waited = true;
    loser.synchronize(List.of("f/a"));
    owner.publishing();

    assertThat(openedIn(directory).wasTrusted()).isTrue();
  }

  @Test
  void publishing_ledgerCannotBeTakenOver_isWrittenAnew() throws Exception {
    built(List.of("f/a"));
    int writes = store.writes;
    store.unclaimable = true;
    opened().publishing();

    assertThat(store.writes).isEqualTo(writes + 1);
  }

  @Test
  void unindexed_keepsWhatWasBuilt_andNotesThatTrustIsOver() {
    built(List.of("f/a"));
    RegionLedger ledger = opened();
    ledger.unindexed();
    publishingNothing(ledger);
    assertThat(ledger.wasTrusted()).isTrue();
    waited = true;
    ledger.close();

    RegionLedger next = opened();
    assertThat(next.wasTrusted()).isFalse();
    assertThat(next.reconcile(ONE_INDEX, List.of("f/a")).trusted()).hasSize(1);
  }

  /** A region that has waited and publishes nothing has closed, with index 1 built. */
  private void neverTrusted() {
    RegionLedger ledger = built(List.of("f/a"));
    publishingNothing(ledger);
    waited = true;
    ledger.close();
    waited = false;
  }

  private void publishingNothing(RegionLedger ledger) {
    ledger.trustedWhile(() -> !waited);
  }

  private RegionLedger openedIn(java.nio.file.Path regionDirectory) throws IOException {
    Configuration conf = new Configuration();
    LedgerFile file =
        LedgerFile.in(FileSystem.getLocal(conf), new Path(regionDirectory.toUri()), conf);
    RegionLedger ledger = new RegionLedger(file, INCARNATION, metrics);
    ledger.load();
    return ledger;
  }

  private RegionLedger opened() {
    RegionLedger ledger = new RegionLedger(store, INCARNATION, metrics);
    ledger.load();
    return ledger;
  }

  private RegionLedger built(List<String> files) {
    RegionLedger ledger = opened();
    ledger.reconcile(ONE_INDEX, files);
    ledger.built(ONE_INDEX, 40);
    return ledger;
  }
}
