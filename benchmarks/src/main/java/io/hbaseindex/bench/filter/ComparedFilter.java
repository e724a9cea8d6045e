/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.filter;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.hbaseindex.core.filter.CountingFilter;
import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.filter.SplitCountingBloomFilter;
import io.hbaseindex.core.hash.ElementHasher;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;
import org.fastfilter.Filter;
import org.fastfilter.bloom.count.CountingBloom;
import org.fastfilter.bloom.count.SuccinctCountingBlockedBloom;

/** One interface over all filters compared. Every call includes the hashing of its 8-byte key. */
public interface ComparedFilter {
  void insert(long key);

  boolean mightContain(long key);

  /** A filter that can also take a key back. */
  interface Deleting extends ComparedFilter {
    void delete(long key);
  }

  /** The filters compared. */
  enum Kind {
    /** One split counting filter of the right size. */
    SCBF,
    /** The product's chain, sized for its keys from the start, as after a rebuild. */
    SSCBF_SIZED,
    /**
     * The product's chain, grown from its first segment of 1,024 and rebuilt when it asks for it.
     */
    SSCBF_GROWN,
    /** A chain grown from its first segment of 1,024 whose calls for a rebuild nobody hears. */
    SSCBF_NEGLECTED,
    GUAVA,
    HADOOP_COUNTING,
    FASTFILTER_COUNTING,
    FASTFILTER_SUCCINCT_BLOCKED,
    DATASKETCHES;

    /**
     * Regions look twice a second whether a rebuild pays; a busy one has grown by this meanwhile.
     */
    private static final int UPKEEP_EVERY = 10_000;

    /** A filter made for all the given keys that holds the first {@code used} of them. */
    ComparedFilter filled(long[] keys, int used, double error) {
      ComparedFilter filter = create(keys, error);
      if (filter instanceof FastFilter full) {
        // These are constructed with their keys in them.
        for (int at = used; at < keys.length; at++) {
          full.delete(keys[at]);
        }
        return full;
      }
      for (int at = 0; at < used; at++) {
        filter.insert(keys[at]);
        if (this == SSCBF_GROWN && at % UPKEEP_EVERY == 0) {
          filter = ((Ours) filter).kept(Arrays.stream(keys, 0, at + 1));
        }
      }
      return filter;
    }

    private ComparedFilter create(long[] forKeys, double error) {
      int keys = forKeys.length;
      switch (this) {
        case SCBF:
          return new Ours(SplitCountingBloomFilter.forCapacity(keys, error));
        case SSCBF_SIZED:
          return new Ours(chain(error, keys));
        case SSCBF_GROWN:
        case SSCBF_NEGLECTED:
          return new Ours(chain(error, 0));
        case GUAVA:
          return new Guava(BloomFilter.create(Funnels.longFunnel(), keys, error));
        case HADOOP_COUNTING:
          return new Hadoop(keys, error);
        case FASTFILTER_COUNTING:
          return new FastFilter(CountingBloom.construct(forKeys, bitsPerKey(error)));
        case FASTFILTER_SUCCINCT_BLOCKED:
          return new FastFilter(
              SuccinctCountingBlockedBloom.construct(forKeys, (int) Math.ceil(bitsPerKey(error))));
        case DATASKETCHES:
          return new DataSketches(BloomFilterBuilder.createByAccuracy(keys, error, 1));
        default:
          throw new AssertionError(this);
      }
    }

    private static CountingFilter chain(double error, long expected) {
      return new ScalableSplitCountingBloomFilter(
          FilterGeometry.doubling(FilterGeometry.DEFAULT_FIRST_CAPACITY, error),
          FilterChangeListener.NONE,
          expected,
          ScalableSplitCountingBloomFilter.DEFAULT_HEAVY_LIMIT);
    }

    private static double bitsPerKey(double error) {
      return -Math.log(error) / (Math.log(2) * Math.log(2));
    }
  }

  /** Ours work on hashes; the hash of the key is taken here, so that it is paid for. */
  final class Ours implements Deleting {
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ElementHasher hasher = ElementHasher.of(1, 2);
    private final byte[] bytes = new byte[Long.BYTES];
    private final CountingFilter filter;

    Ours(CountingFilter filter) {
      this.filter = filter;
    }

    @Override
    public void insert(long key) {
      filter.insert(hash(key));
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mightContain(hash(key));
    }

    @Override
    public void delete(long key) {
      filter.delete(hash(key));
    }

    /** This filter, or a rebuilt one if that pays. */
    Ours kept(LongStream keys) {
      ScalableSplitCountingBloomFilter chain = (ScalableSplitCountingBloomFilter) filter;
      return chain.rebuildPays().isEmpty()
          ? this
          : new Ours(
              chain.rebuild(
                  keys.map(this::hash).iterator(),
                  chain.elementsToRebuildFor(),
                  FilterChangeListener.NONE));
    }

    private long hash(long key) {
      LONG.set(bytes, 0, key);
      return hasher.hash(bytes);
    }
  }

  /** Guava's Bloom filter. */
  final class Guava implements ComparedFilter {
    private final BloomFilter<Long> filter;

    Guava(BloomFilter<Long> filter) {
      this.filter = filter;
    }

    @Override
    public void insert(long key) {
      filter.put(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mightContain(key);
    }
  }

  /** Hadoop's counting Bloom filter. */
  final class Hadoop implements Deleting {
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final CountingBloomFilter filter;
    private final byte[] bytes = new byte[Long.BYTES];
    private final Key reused = new Key();

    Hadoop(int keys, double error) {
      int cells = (int) Math.ceil(keys * -Math.log(error) / (Math.log(2) * Math.log(2)));
      int hashes = (int) Math.round(-Math.log(error) / Math.log(2));
      filter = new CountingBloomFilter(cells, hashes, Hash.MURMUR_HASH);
    }

    @Override
    public void insert(long key) {
      filter.add(key(key));
    }

    @Override
    public boolean mightContain(long key) {
      return filter.membershipTest(key(key));
    }

    @Override
    public void delete(long key) {
      filter.delete(key(key));
    }

    private Key key(long key) {
      LONG.set(bytes, 0, key);
      reused.set(bytes, 1.0);
      return reused;
    }
  }

  /** The fastfilter project's counting filters. */
  final class FastFilter implements Deleting {
    private final Filter filter;

    FastFilter(Filter filter) {
      this.filter = filter;
    }

    @Override
    public void insert(long key) {
      filter.add(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mayContain(key);
    }

    @Override
    public void delete(long key) {
      filter.remove(key);
    }
  }

  /** The DataSketches library's Bloom filter. */
  final class DataSketches implements ComparedFilter {
    private final org.apache.datasketches.filters.bloomfilter.BloomFilter filter;

    DataSketches(org.apache.datasketches.filters.bloomfilter.BloomFilter filter) {
      this.filter = filter;
    }

    @Override
    public void insert(long key) {
      filter.update(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.query(key);
    }
  }
}
