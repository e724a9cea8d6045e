/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query.sum;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the values of a column add up to, exactly: whole numbers do not overflow, and floating ones
 * are added as the exact decimals that they are, so that the order of rows makes no difference.
 *
 * @param total the sum; zero without numbers
 * @param numbers how many numbers were added
 * @param skipped cells of the column that were not added: such that hold no value of the type, NaN
 *     and infinite ones, and decimals of thousands of digits
 */
@InterfaceAudience.Public
public record Sum(BigDecimal total, long numbers, long skipped) {

  /** The sum divided by the number of numbers, to 34 digits; empty without any. */
  public Optional<BigDecimal> average() {
    return numbers == 0
        ? Optional.empty()
        : Optional.of(total.divide(BigDecimal.valueOf(numbers), MathContext.DECIMAL128));
  }
}
