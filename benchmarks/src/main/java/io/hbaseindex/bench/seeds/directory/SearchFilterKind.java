/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.directory;

import io.hbaseindex.core.filter.BloomFilter;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.filter.InsertableFilter;
import io.hbaseindex.seeds.directory.DistinctBloomFilter;
import io.hbaseindex.seeds.directory.MinimumHashFilter;
import io.hbaseindex.seeds.directory.TwoDimensionalFilter;

/** The filters the paper compares, and the one it should have compared with. */
public enum SearchFilterKind {
  MINIMUM_HASH("new search filter") {
    @Override
    public InsertableFilter create(BloomShape shape) {
      return new MinimumHashFilter(shape);
    }

    @Override
    double formula(BloomShape shape, int keys) {
      return new SearchFormulas(shape, keys).minimumHash();
    }

    @Override
    long bits(BloomShape shape) {
      return 2 * shape.bits();
    }
  },
  RANDOM("random filter") {
    @Override
    public InsertableFilter create(BloomShape shape) {
      return new BloomFilter(shape);
    }

    @Override
    double formula(BloomShape shape, int keys) {
      return new SearchFormulas(shape, keys).repeatable();
    }
  },
  BLOOM("Bloom filter") {
    @Override
    public InsertableFilter create(BloomShape shape) {
      return new DistinctBloomFilter(shape);
    }
  },
  RR("RR") {
    @Override
    public InsertableFilter create(BloomShape shape) {
      return TwoDimensionalFilter.rr(side(shape), shape.hashes());
    }

    @Override
    double formula(BloomShape shape, int keys) {
      return new SearchFormulas(square(shape), keys).repeatable();
    }

    @Override
    long bits(BloomShape shape) {
      return square(shape).bits();
    }
  },
  BB("BB") {
    @Override
    public InsertableFilter create(BloomShape shape) {
      return TwoDimensionalFilter.bb(side(shape), shape.hashes());
    }

    @Override
    double formula(BloomShape shape, int keys) {
      return new SearchFormulas(square(shape), keys).distinct();
    }

    @Override
    long bits(BloomShape shape) {
      return square(shape).bits();
    }
  },
  BR("BR") {
    @Override
    public InsertableFilter create(BloomShape shape) {
      return TwoDimensionalFilter.br(side(shape), shape.hashes());
    }

    @Override
    double formula(BloomShape shape, int keys) {
      return new SearchFormulas(square(shape), keys).distinct();
    }

    @Override
    long bits(BloomShape shape) {
      return square(shape).bits();
    }
  },
  /** A Bloom filter that gets the bits the new filter spends on its minima. */
  BLOOM_SAME_MEMORY("Bloom filter, twice the bits") {
    @Override
    public InsertableFilter create(BloomShape shape) {
      return new DistinctBloomFilter(doubled(shape));
    }

    @Override
    double formula(BloomShape shape, int keys) {
      return new SearchFormulas(doubled(shape), keys).distinct();
    }

    @Override
    long bits(BloomShape shape) {
      return doubled(shape).bits();
    }
  };

  private final String title;

  SearchFilterKind(String title) {
    this.title = title;
  }

  /** A filter of this kind for the given space; the square ones take the largest that fits. */
  public abstract InsertableFilter create(BloomShape shape);

  double formula(BloomShape shape, int keys) {
    return new SearchFormulas(shape, keys).distinct();
  }

  long bits(BloomShape shape) {
    return shape.bits();
  }

  String title() {
    return title;
  }

  private static int side(BloomShape shape) {
    return (int) Math.sqrt(shape.bits());
  }

  private static BloomShape square(BloomShape shape) {
    return new BloomShape((long) side(shape) * side(shape), shape.hashes());
  }

  private static BloomShape doubled(BloomShape shape) {
    return new BloomShape(2 * shape.bits(), shape.hashes());
  }
}
