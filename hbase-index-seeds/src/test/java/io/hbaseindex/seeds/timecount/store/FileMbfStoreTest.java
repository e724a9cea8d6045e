/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileMbfStoreTest {
  private static final MbfId ONE = new MbfId(1, 1);
  private static final MbfId WIDE = new MbfId(2, 0x1234_5678_9ABCL);

  @TempDir private Path directory;
  private FileMbfStore store;

  @BeforeEach
  void openStore() throws IOException {
    store = FileMbfStore.open(directory);
  }

  @AfterEach
  void closeStore() throws IOException {
    store.close();
  }

  @Test
  void list_afterWritesAndDeletes_namesWhatIsThere() throws IOException {
    store.write(ONE, out -> out.write(1));
    store.write(WIDE, out -> out.write(2));
    Files.writeString(directory.resolve("unrelated.txt"), "x");

    assertThat(store.list()).containsExactlyInAnyOrder(ONE, WIDE);
    store.delete(ONE);
    store.delete(ONE);
    assertThat(store.list()).containsExactly(WIDE);
  }

  @Test
  void write_sameIdAgain_replacesTheContent() throws IOException {
    store.write(ONE, out -> out.write(new byte[100]));
    store.write(ONE, out -> out.write(7));

    assertThat(contentOf(ONE)).containsExactly(7);
  }

  @Test
  void write_failingHalfWay_leavesTheOldContent() throws IOException {
    store.write(ONE, out -> out.write(7));

    assertThatIOException()
        .isThrownBy(
            () ->
                store.write(
                    ONE,
                    out -> {
                      out.write(8);
                      throw new IOException("disk full");
                    }));
    assertThat(contentOf(ONE)).containsExactly(7);
    assertThat(store.list()).containsExactly(ONE);
  }

  @Test
  void open_afterACrashWhileWriting_removesTheTemporaryFile() throws IOException {
    store.write(ONE, out -> out.write(7));
    store.close();
    Path left = directory.resolve("0000000000000002-0000000000000002.mbf.tmp");
    Files.writeString(left, "half");

    store = FileMbfStore.open(directory);

    assertThat(left).doesNotExist();
    assertThat(store.list()).containsExactly(ONE);
  }

  @Test
  void open_directoryInUse_isRefused() throws IOException {
    assertThatIOException()
        .isThrownBy(() -> FileMbfStore.open(directory))
        .withMessageContaining("another store has it open");
    store.close();
    store = FileMbfStore.open(directory);
  }

  @Test
  void read_missingFilter_namesTheFile() {
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.read(ONE))
        .withMessageContaining("0000000000000001-0000000000000001.mbf");
  }

  private byte[] contentOf(MbfId id) throws IOException {
    try (InputStream in = store.read(id)) {
      return in.readAllBytes();
    }
  }
}
