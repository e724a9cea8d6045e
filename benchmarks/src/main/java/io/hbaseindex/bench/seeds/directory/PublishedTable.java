package io.hbaseindex.bench.seeds.directory;

/** Table 1 of the paper, in per cent: groups of one hundred searches for absent keys. */
final class PublishedTable {
  static final int[] NEW = {39, 16, 53, 30, 28, 39, 40, 32, 38, 43};
  static final int[] RANDOM = {43, 19, 55, 34, 31, 41, 42, 35, 38, 47};
  static final int[] BLOOM = {44, 20, 56, 36, 32, 41, 42, 38, 39, 47};

  /** The averages as printed; the ten values give the same. */
  static final double NEW_AVERAGE = 35.8;

  static final double RANDOM_AVERAGE = 38.5;
  static final double BLOOM_AVERAGE = 39.5;

  private PublishedTable() {}
}
