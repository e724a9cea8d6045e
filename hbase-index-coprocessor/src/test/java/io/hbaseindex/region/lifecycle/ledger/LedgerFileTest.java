/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.format.MalformedBlobException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerFileTest {

  @TempDir private java.nio.file.Path directory;
  private LedgerFile file;

  @BeforeEach
  void open() throws Exception {
    Configuration conf = new Configuration();
    file = LedgerFile.in(FileSystem.getLocal(conf), new Path(directory.toUri()), conf);
  }

  @Test
  void read_noFile_isEmpty() throws Exception {
    assertThat(file.read()).isEmpty();
  }

  @Test
  void replace_existingFile_isReplacedAndNothingLeftOver() throws Exception {
    file.replace(record("f/a"));
    file.replace(record("f/b"));

    assertThat(file.read()).contains(record("f/b"));
    try (var names = Files.list(directory)) {
      assertThat(names.map(path -> path.getFileName().toString()).filter(n -> !n.endsWith(".crc")))
          .containsExactly(LedgerFile.NAME);
    }
  }

  @Test
  void read_damagedFile_fails() throws Exception {
    Files.write(directory.resolve(LedgerFile.NAME), new byte[100]);

    assertThatThrownBy(file::read).isInstanceOf(MalformedBlobException.class);
  }

  @Test
  void delete_removesFile() throws Exception {
    file.replace(record("f/a"));
    file.delete();
    file.delete();

    assertThat(file.read()).isEmpty();
  }

  /** As HDFS does it: a stream that cannot be written to says so again when it is closed. */
  @Test
  void replace_streamThatFailsTwiceWithOneException_failsWithThatException() throws Exception {
    file.replace(record("f/a"));
    IOException full = new IOException("quota exceeded");
    Configuration conf = new Configuration();
    LedgerFile failing =
        LedgerFile.in(
            new FilterFileSystem(FileSystem.getLocal(conf)) {
              @Override
              public FSDataOutputStream create(Path path, boolean overwrite) throws IOException {
                return new FSDataOutputStream(new BrokenStream(full), null);
              }
            },
            new Path(directory.toUri()),
            conf);

    assertThatThrownBy(() -> failing.replace(record("f/b"))).isSameAs(full);
    assertThat(file.read()).contains(record("f/a"));
  }

  private static final class BrokenStream extends OutputStream {
    private final IOException failure;

    BrokenStream(IOException failure) {
      this.failure = failure;
    }

    @Override
    public void write(int oneByte) throws IOException {
      throw failure;
    }

    @Override
    public void close() throws IOException {
      throw failure;
    }
  }

  private static LedgerRecord record(String name) {
    return LedgerRecord.empty(1).withFiles(new TreeSet<>(List.of(name)));
  }
}
