package io.hbaseindex.core.filter;

/**
 * A membership filter over a multiset: what was inserted n times is present until it was deleted n
 * times.
 */
public interface CountingFilter extends InsertableFilter {
  /**
   * Takes back one earlier insert of the element.
   *
   * <p>The caller guarantees that the element is present and that each insert is taken back at most
   * once. Deleting what was never inserted damages the answers for other elements, and no filter
   * can detect it reliably.
   */
  void delete(long element);
}
