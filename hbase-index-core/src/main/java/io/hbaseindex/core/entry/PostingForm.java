/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bytes by which postings hold the value of a cell: they sort as the values of the column's
 * type do, and the cell's own bytes can be had back from them.
 *
 * <pre>
 *  bytes, string, boolean, ordered-…   the cell
 *  long, int, short                    01 | the cell, its first bit inverted
 *  double, float                       01 | the cell, its first bit inverted; all bits if it is set
 *  decimal                             01 | see DecimalForm
 *  ... a cell that is none of these    02 | the cell
 * </pre>
 *
 * <p>No two cells share a form, so that postings tell apart what the plain bytes do: 0.0 and -0.0,
 * or the decimals 1.0 and 1.00.
 */
@InterfaceAudience.Private
public final class PostingForm {
  /** What the form of a value of the type begins with. */
  public static final byte VALUE = 1;

  /** What the form of a cell begins with that is no value of the type. */
  public static final byte OTHER = 2;

  private static final int SIGN = 0x80;

  private PostingForm() {}

  /** The forms of a row's values in the columns of an index; null stays null. */
  public static List<byte[]> of(IndexDefinition index, List<byte[]> cells) {
    return index.hasTypes() ? of(index.types(), cells) : cells;
  }

  static List<byte[]> of(List<ValueType> types, List<byte[]> cells) {
    List<byte[]> forms = new ArrayList<>(cells.size());
    for (int i = 0; i < cells.size(); i++) {
      forms.add(of(types.get(i), cells.get(i)));
    }
    return forms;
  }

  /** The form of a cell's bytes; null stays null. */
  public static byte[] of(ValueType type, byte[] cell) {
    if (cell == null || type.encoding() == ValueType.Encoding.AS_IT_IS) {
      return cell;
    }
    if (type.encoding() == ValueType.Encoding.DECIMAL) {
      return DecimalForm.of(cell).orElseGet(() -> marked(OTHER, cell));
    }
    return cell.length == type.width() ? inverted(marked(VALUE, cell), type) : marked(OTHER, cell);
  }

  /** Whether a posting holds the cell as what it is not: a value of its type. */
  public static boolean isOther(ValueType type, byte[] cell) {
    if (cell == null) {
      return false;
    }
    if (type.encoding() == ValueType.Encoding.AS_IT_IS) {
      return type.width() > 0 && cell.length != type.width();
    }
    return of(type, cell)[0] == OTHER;
  }

  /**
   * The bytes of the cell.
   *
   * @throws MalformedPostingException if no cell has this form
   */
  public static byte[] cellOf(ValueType type, byte[] form) {
    if (form == null || type.encoding() == ValueType.Encoding.AS_IT_IS) {
      return form;
    }
    if (form.length > 0 && form[0] == OTHER) {
      return Arrays.copyOfRange(form, 1, form.length);
    }
    if (form.length > 0 && form[0] == VALUE) {
      if (type.encoding() == ValueType.Encoding.DECIMAL) {
        return DecimalForm.cellOf(form);
      }
      if (form.length == 1 + type.width()) {
        return Arrays.copyOfRange(restored(form.clone(), type), 1, form.length);
      }
    }
    throw new MalformedPostingException(
        "Cannot read a posting: a column of type %s had %d bytes that are the form of no value"
            .formatted(type.keyword(), form.length));
  }

  private static byte[] inverted(byte[] form, ValueType type) {
    boolean all = type.encoding() == ValueType.Encoding.FLOATING && (form[1] & SIGN) != 0;
    return invert(form, all);
  }

  private static byte[] restored(byte[] form, ValueType type) {
    boolean all = type.encoding() == ValueType.Encoding.FLOATING && (form[1] & SIGN) == 0;
    return invert(form, all);
  }

  private static byte[] invert(byte[] form, boolean all) {
    form[1] ^= (byte) SIGN;
    for (int i = 1; all && i < form.length; i++) {
      form[i] ^= (byte) (i == 1 ? 0x7F : 0xFF);
    }
    return form;
  }

  private static byte[] marked(byte mark, byte[] cell) {
    byte[] form = new byte[1 + cell.length];
    form[0] = mark;
    System.arraycopy(cell, 0, form, 1, cell.length);
    return form;
  }
}
