/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import io.hbaseindex.client.query.sum.Sum;
import io.hbaseindex.core.definition.ValueType;
import java.math.BigDecimal;
import java.math.MathContext;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/** What a column adds up to, for people and as JSON. */
@InterfaceAudience.Private
public final class SumText {
  private final Sum sum;
  private final ValueType type;

  /**
   * @param type of the numbers that were added
   */
  public SumText(Sum sum, ValueType type) {
    this.sum = sum;
    this.type = type;
  }

  /** The sum. */
  public String total() {
    return shown(sum.total()).toPlainString();
  }

  /** The average; a dash without numbers. */
  public String average() {
    return sum.average().map(average -> rounded(average).toPlainString()).orElse("-");
  }

  public JsonObject json() {
    JsonObject json = new JsonObject();
    json.addProperty("sum", shown(sum.total()));
    json.addProperty("numbers", sum.numbers());
    json.addProperty("skipped", sum.skipped());
    json.addProperty("average", sum.average().map(SumText::rounded).orElse(null));
    return json;
  }

  /** A sentence on cells that were not added; empty if there are none. */
  public String remark() {
    return sum.skipped() == 0
        ? ""
        : "%s not added, for want of a finite number of type %s"
            .formatted(CountText.of(sum.skipped(), "cell"), type.keyword());
  }

  /**
   * Floating numbers have hundreds of digits if they are told exactly; nobody wants to see them.
   */
  private BigDecimal shown(BigDecimal exact) {
    return switch (type) {
      case DOUBLE, FLOAT, ORDERED_DOUBLE, ORDERED_FLOAT -> rounded(exact);
      default -> exact;
    };
  }

  private static BigDecimal rounded(BigDecimal exact) {
    BigDecimal rounded = exact.round(MathContext.DECIMAL64).stripTrailingZeros();
    return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
  }
}
