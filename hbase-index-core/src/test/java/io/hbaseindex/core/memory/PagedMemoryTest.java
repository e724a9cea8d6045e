/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PagedMemoryTest {
  private static final long PAGE = PagedMemory.bytesFor(1);
  private static final long WORDS = PagedMemory.PAGE_WORDS;
  private static final long SLAB_WORDS = (long) PagedMemory.SLAB_PAGES * PagedMemory.PAGE_WORDS;

  @Test
  void bytesFor_tellsBeforeWhatABlockTakes() {
    PagedMemory memory = PagedMemory.direct(1 << 24);
    for (long words : new long[] {1, 127, 128, 129, SLAB_WORDS + 1}) {
      MemoryBlock block = memory.allocate(words).orElseThrow();

      assertThat(memory.takenBytes()).isEqualTo(PagedMemory.bytesFor(words));
      assertThat(block.bytes()).isEqualTo(PagedMemory.bytesFor(words));
      block.free();
    }
    assertThat(memory.takenBytes()).isZero();
  }

  @Test
  void blocks_ofSeveralSlabs_keepWhatIsWritten_besideEachOther() {
    PagedMemory memory = PagedMemory.direct(1 << 25);
    List<MemoryBlock> blocks = new ArrayList<>();
    for (long words : new long[] {700, SLAB_WORDS + 700, 1, SLAB_WORDS}) {
      blocks.add(memory.allocate(words).orElseThrow());
    }
    fill(blocks, 1);
    blocks.get(0).free(); // the next one lies in the gaps
    blocks.set(0, memory.allocate(2000).orElseThrow());
    fill(blocks, 2);

    for (MemoryBlock block : blocks) {
      SplittableRandom expected = new SplittableRandom(2 + block.words());
      for (long at = 0; at < block.words(); at++) {
        assertThat(block.get(at)).isEqualTo(expected.nextLong());
      }
    }
  }

  private static void fill(List<MemoryBlock> blocks, int seed) {
    for (MemoryBlock block : blocks) {
      SplittableRandom random = new SplittableRandom(seed + block.words());
      for (long at = 0; at < block.words(); at++) {
        block.set(at, random.nextLong());
      }
    }
  }

  @Test
  void beyondTheBound_isRefused_untilSomethingIsFreed() {
    PagedMemory memory = PagedMemory.direct(3 * PAGE + PAGE / 2);
    MemoryBlock two = memory.allocate(2 * WORDS).orElseThrow();

    assertThat(memory.maxBytes()).isEqualTo(3 * PAGE);
    assertThat(memory.allocate(WORDS + 1)).isEmpty();
    assertThat(memory.allocate(WORDS)).isPresent();
    assertThat(memory.allocate(1)).isEmpty();
    two.free();
    assertThat(memory.allocate(WORDS + 1)).isPresent();
  }

  @Test
  void pages_usedAgain_areZero() {
    PagedMemory memory = PagedMemory.direct(PAGE);
    MemoryBlock first = memory.allocate(WORDS).orElseThrow();
    first.set(17, -1);
    first.free();

    assertThat(memory.allocate(WORDS).orElseThrow().get(17)).isZero();
  }

  @Test
  void freedBlock_isNotWritten_andNotFreedTwice() {
    PagedMemory memory = PagedMemory.direct(2 * PAGE);
    MemoryBlock freed = memory.allocate(WORDS).orElseThrow();
    freed.free();
    MemoryBlock others = memory.allocate(2 * WORDS).orElseThrow();

    freed.free();

    assertThat(memory.takenBytes()).isEqualTo(2 * PAGE);
    assertThatThrownBy(() -> freed.set(0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(others.get(0)).isZero();
    assertThat(others.get(WORDS)).isZero();
  }

  @Test
  void directMemoryOfTheProcess_usedUp_becomesTheBound_andIsAskedForOnce() {
    List<Integer> asked = new ArrayList<>();
    PagedMemory memory =
        PagedMemory.ofSlabs(
            1L << 30,
            bytes -> {
              asked.add(bytes);
              if (asked.size() > 2) {
                throw new OutOfMemoryError("Cannot reserve direct buffer memory");
              }
              return ByteBuffer.allocateDirect(bytes);
            });

    assertThat(memory.allocate(3 * SLAB_WORDS)).isEmpty();
    assertThat(memory.allocate(3 * SLAB_WORDS)).isEmpty();

    assertThat(asked).hasSize(3);
    assertThat(memory.isCutShort()).isTrue();
    assertThat(memory.maxBytes()).isEqualTo(2 * SLAB_WORDS * Long.BYTES);
    assertThat(memory.allocate(2 * SLAB_WORDS)).isPresent();
  }

  @Test
  void extendedBlock_keepsItsWords_andTakesOnlyWhatItNeedsMore() {
    for (PagedMemory memory : List.of(PagedMemory.heap(), PagedMemory.direct(4 * SLAB_WORDS * 8))) {
      MemoryBlock other = memory.allocate(600).orElseThrow();
      MemoryBlock block = memory.allocate(600).orElseThrow();
      block.set(599, 7);
      memory.allocate(900).orElseThrow().free();

      MemoryBlock longer = block.extended(SLAB_WORDS + 5).orElseThrow();

      assertThat(longer.words()).isEqualTo(SLAB_WORDS + 5);
      assertThat(longer.get(599)).isEqualTo(7);
      for (long index = 600; index < longer.words(); index++) {
        assertThat(longer.get(index)).isZero();
      }
      other.free();
      longer.free();
      assertThat(memory.takenBytes()).isZero();
    }
  }

  @Test
  void blockThatCannotBeExtended_isAsItWas() {
    PagedMemory memory = PagedMemory.direct(SLAB_WORDS * Long.BYTES);
    MemoryBlock block = memory.allocate(600).orElseThrow();
    long taken = memory.takenBytes();

    assertThat(block.extended(SLAB_WORDS + 1)).isEmpty();

    block.set(599, 7);
    assertThat(block.get(599)).isEqualTo(7);
    assertThat(memory.takenBytes()).isEqualTo(taken);
  }

  @Test
  void heap_hasNoBound() {
    MemoryBlock block = PagedMemory.heap().allocate(SLAB_WORDS + 5).orElseThrow();
    block.set(SLAB_WORDS + 4, 7);

    assertThat(block.get(SLAB_WORDS + 4)).isEqualTo(7);
    assertThat(block.get(0)).isZero();
  }
}
