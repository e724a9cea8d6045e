/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import io.hbaseindex.core.time.Moment;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A master's certainty that it is the active one. It lasts for {@link LeaseTerms#deposedNanos} from
 * the moment at which the master <em>asked</em> and was then told so. Another one can have become
 * active only after that moment, so a master that is deposed, knowingly or not, ceases to trust
 * within that time. Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class ActiveMasterLease implements Predicate<Moment> {
  private final LeaseTerms terms;
  private volatile Moment asked;

  /** A master that has not been told anything yet. */
  public ActiveMasterLease(LeaseTerms terms) {
    this.terms = terms;
  }

  /** The master was told that it is the active one, having asked at the given moment. */
  public void confirmed(Moment asked) {
    this.asked = asked;
  }

  /** The master is another one, or nobody can be asked any more. */
  public void lost() {
    asked = null;
  }

  @Override
  public boolean test(Moment now) {
    Moment last = asked;
    return last != null && now.isWithin(terms.deposedNanos(), last);
  }
}
