package io.hbaseindex.core.publish;

import java.util.function.Predicate;

/** What a simulated cluster is made of: the deployed classes, unless a saboteur says otherwise. */
class SimParts extends PublishedRegion.Parts {
  FilterRegistry registry(
      long master,
      PublishClock clock,
      LeaseTerms terms,
      RegistryLimits limits,
      Predicate<String> online) {
    return new FilterRegistry(master, clock, terms, limits, online);
  }

  ServerPublisher serverPublisher(
      String server,
      RegionNumbers numbers,
      PublishClock clock,
      LeaseTerms terms,
      PublishLimits limits) {
    return new ServerPublisher(server, numbers, clock, terms, limits, this);
  }

  /** Whether a batch takes ended postings back before it is known whether it succeeds. */
  boolean deletesBeforeCommit() {
    return false;
  }
}
