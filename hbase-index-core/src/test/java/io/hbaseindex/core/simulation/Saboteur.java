/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.publish.BrokenPublishers;
import io.hbaseindex.core.registry.BrokenRegistries;

/** Plausible implementations that break one rule each. The simulation has to notice. */
enum Saboteur {
  /** M7: acknowledges without waiting until no trust can be left. */
  NO_LEASE_WAIT(SimParts.DEPLOYED.publishing(BrokenPublishers.withoutLeaseWait())),

  /** Trusts from the moment a renewal arrives instead of from the moment its token was issued. */
  LEASE_FROM_ARRIVAL(SimParts.DEPLOYED.holding(BrokenRegistries.thatTrustFromArrival())),

  /** Sends cleared bits later than the bits that were set after them. */
  CLEAR_OVERTAKES_SET(SimParts.DEPLOYED.publishing(BrokenPublishers.thatClearTooLate())),

  /** M3: leaves older incarnations as they are when a region opens. */
  NO_FENCING(SimParts.DEPLOYED.holding(BrokenRegistries.withoutFencing())),

  /** M3: fences older incarnations of the same name only. */
  FENCING_BY_NAME(SimParts.DEPLOYED.holding(BrokenRegistries.thatFenceByName())),

  /** M1: acknowledges without waiting for anything. */
  ACKNOWLEDGE_BEFORE_CONFIRM(
      SimParts.DEPLOYED.publishing(BrokenPublishers.thatAcknowledgeAtOnce())),

  /** M1: a write that set no bit itself waits for nothing. */
  SKIP_WAIT_WITHOUT_NEW_BIT(
      SimParts.DEPLOYED.publishing(BrokenPublishers.thatWaitForOwnBitsOnly())),

  /** M1: a write of an outrun region waits for what is trusted, not for what is staged. */
  OUTRUN_NOT_AWAITED(SimParts.DEPLOYED.publishing(BrokenPublishers.thatWaitForWhatIsOutrun())),

  /** M2: renews trust although pages are missing. */
  RENEW_WITHOUT_COMPLETENESS(
      SimParts.DEPLOYED
          .publishing(BrokenPublishers.thatRenewWhatIsIncomplete())
          .holding(BrokenRegistries.thatTrustWhatIsIncomplete())),

  /** M2: a beat renews the trust of all regions, and the regions do not know. */
  BEAT_RENEWS_UNNOTICED(SimParts.DEPLOYED.publishing(BrokenPublishers.thatRenewByBeatsUnnoticed())),

  /** M2: what is staged comes into use although a push with later pages was missed. */
  PROMOTED_ALTHOUGH_MISSED(
      SimParts.DEPLOYED
          .publishing(BrokenPublishers.thatForgetWhatWasMissed())
          .holding(BrokenRegistries.thatMissPages())),

  /** Credit that one master gave is used with the next one. */
  CREDIT_OUTLIVES_ITS_MASTER(
      SimParts.DEPLOYED.publishing(BrokenPublishers.thatKeepTheirCredit()),
      SimViolation.Law.PARTS_NEED_CREDIT),

  /** F3: the log of a generation begins after its snapshot was taken. */
  STALE_WHOLE_FILTER(SimParts.DEPLOYED.publishing(BrokenPublishers.thatLogTooLate())),

  /** F1: takes postings back before it is known whether the batch succeeds. */
  DELETE_BEFORE_COMMIT(SimParts.DEPLOYED.writing(SimParts.Habit.DELETES_BEFORE_COMMIT)),

  /** P2: takes the values that a write ends from what readers see, not from what is written. */
  OLD_VALUES_OF_READERS(SimParts.DEPLOYED.writing(SimParts.Habit.READS_WHAT_IS_VISIBLE)),

  /** F1: a batch that fails takes back what it inserted, though it may have been written. */
  FAILURE_UNDONE(SimParts.DEPLOYED.writing(SimParts.Habit.UNDOES_FAILED_BATCHES)),

  /** F3: the rebuild's scan does not wait for the batches that began before it. */
  REBUILD_SCANS_TOO_SOON(SimParts.DEPLOYED.publishing(BrokenPublishers.thatScanTooSoon())),

  /** F3: batches that began before a rebuild was complete take elements back from it. */
  REBUILD_TAKES_BACK_TOO_MUCH(SimParts.DEPLOYED.publishing(BrokenPublishers.thatTakeBackTooMuch())),

  /**
   * F4: a filter that arrives in parts takes the place of the one before from the first part on.
   */
  DROP_BEFORE_REPLACE(SimParts.DEPLOYED.holding(BrokenRegistries.thatReplaceByParts())),

  /** M2: a region that gives up loses its trust, but its generation can have it back. */
  GIVING_UP_IS_NOT_FINAL(SimParts.DEPLOYED.holding(BrokenRegistries.thatTakeBackWhatWasGivenUp())),

  /** M4: forgets what the master before may still trust. */
  OLD_MASTER_FORGOTTEN(SimParts.DEPLOYED.publishing(BrokenPublishers.thatForgetTheMasterBefore())),

  /** M4: takes a young master's word that a region is open for that of all masters. */
  YOUNG_MASTER_BELIEVED(SimParts.DEPLOYED.holding(BrokenRegistries.thatAreAlwaysSenior())),

  /** M4: counts trust by the monotonic clock alone. */
  MONOTONIC_CLOCK_ALONE(SimParts.DEPLOYED.holding(BrokenRegistries.withoutWallClock())),

  /** S4: does not compare its clock with those of the servers. */
  OWN_CLOCK_BELIEVED(SimParts.DEPLOYED.holding(BrokenRegistries.thatBelieveTheirClock())),

  /** S4: goes on trusting although no server has confirmed its clock of late. */
  UNCONFIRMED_CLOCK_BELIEVED(SimParts.DEPLOYED.holding(BrokenRegistries.thatNeedNoConfirmation())),

  /** S4: trusts although it may not be the active master any more. */
  DEPOSED_MASTER_TRUSTS(SimParts.DEPLOYED.holding(BrokenRegistries.thatNeverStandDown())),

  /** M5: answers for an index by a filter of another definition of it. */
  DEFINITION_IGNORED(SimParts.DEPLOYED.holding(BrokenRegistries.thatIgnoreDefinitions())),

  /** Listens to servers that HBase has taken for dead. */
  DEAD_SERVER_BELIEVED(SimParts.DEPLOYED.holding(BrokenRegistries.thatBelieveDeadServers())),

  /** Sends the elements of a shard to a holder that is not asked for them. */
  ELEMENT_IN_WRONG_SHARD(SimParts.SHARDED.writing(SimParts.Habit.MISTAKES_SHARDS)),

  /** M1: waits for some of the shards that a write touches, but not for all. */
  SHARD_NOT_AWAITED(SimParts.SHARDED.writing(SimParts.Habit.WAITS_FOR_OTHER_SHARDS_ONLY)),

  /** M1: a write of a value that its row has already does not wait for that value's shard. */
  KEPT_VALUE_NOT_AWAITED(SimParts.SHARDED.writing(SimParts.Habit.FORGETS_WHAT_IS_KEPT)),

  /** S4: a holder goes on trusting when its region is open elsewhere. */
  OLD_HOLDER_TRUSTS(SimParts.SHARDED.holding(BrokenRegistries.thatNeverStandDown())),

  /** M4: takes a young holder's word that a region is open for that of all holders. */
  YOUNG_HOLDER_BELIEVED(SimParts.SHARDED.holding(BrokenRegistries.thatAreAlwaysSenior())),

  /** A holder listens to servers that had died when it last asked. */
  DEAD_SERVER_BELIEVED_BY_HOLDER(
      SimParts.SHARDED.holding(BrokenRegistries.thatBelieveDeadServers())),

  /** E1: a smaller set of a posting is not inserted when the posting starts. */
  SET_NOT_INSERTED(SimParts.DEPLOYED.writing(SimParts.Habit.INSERTS_NO_SMALLER_SETS)),

  /** E1: a smaller set of a posting is not taken out when the posting ends. */
  SET_NOT_DELETED(
      SimParts.DEPLOYED.writing(SimParts.Habit.DELETES_NO_SMALLER_SETS),
      SimViolation.Law.WHAT_HAS_GONE_IS_FORGOTTEN),

  /** E1: a smaller set of a posting is taken out more often than it was inserted. */
  SET_DELETED_TWICE(SimParts.DEPLOYED.writing(SimParts.Habit.DELETES_SMALLER_SETS_TWICE)),

  /** E2: a set lacks the first column, and with it the rows that lack it. */
  SET_WITHOUT_FIRST_COLUMN(
      SimParts.DEPLOYED.writing(SimParts.Habit.KEEPS_A_SET_WITHOUT_THE_FIRST_COLUMN)),

  /** E4: the bounds of a value that is cut have its beginning and not the value. */
  BOUNDS_ROUNDED_INWARD(SimParts.DEPLOYED.writing(SimParts.Habit.ENDS_VALUES_WHERE_IT_CUTS_THEM)),

  /** E4: bounds are widened only when a write is acknowledged. */
  BOUNDS_WIDENED_TOO_LATE(SimParts.DEPLOYED.writing(SimParts.Habit.WIDENS_BOUNDS_TOO_LATE)),

  /** E4: a write does not wait for the shard that has the bounds of its index. */
  BOUNDS_NOT_AWAITED(SimParts.SHARDED.publishing(BrokenPublishers.thatDoNotWaitForBounds())),

  /** E4: a filter that is built has the bounds of what was scanned, not of what was written. */
  BOUNDS_OF_THE_SCAN_ALONE(
      SimParts.DEPLOYED.publishing(BrokenPublishers.thatBoundWhatWasScanned())),

  /** E4: values between the smallest and the largest are not told. */
  BOUNDS_OF_THE_ENDS_ALONE(SimParts.DEPLOYED.publishing(BrokenPublishers.thatTellNewEndsOnly()));

  private final SimParts parts;
  private final SimViolation.Law broken;

  Saboteur(SimParts parts) {
    this(parts, SimViolation.Law.NOTHING_IS_EXCLUDED);
  }

  Saboteur(SimParts parts, SimViolation.Law broken) {
    this.parts = parts;
    this.broken = broken;
  }

  /** What the simulation has to notice. */
  SimViolation.Law broken() {
    return broken;
  }

  SimParts parts() {
    return parts;
  }
}
