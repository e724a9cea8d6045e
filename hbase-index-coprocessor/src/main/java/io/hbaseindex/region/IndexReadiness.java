package io.hbaseindex.region;

/** Tells which indexes of a region hold a posting for every value that a row of it can show. */
@FunctionalInterface
public interface IndexReadiness {
  /**
   * Whether readers may rely on the index; asked once per scan, cheap, and safe from any thread.
   */
  boolean isReady(int indexId);
}
