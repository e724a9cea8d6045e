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
    file = opening();
  }

  /** The ledger as one opening of the region has it. */
  private LedgerFile opening() throws IOException {
    Configuration conf = new Configuration();
    return LedgerFile.in(FileSystem.getLocal(conf), new Path(directory.toUri()), conf);
  }

  private List<String> ledgers() throws IOException {
    try (var files = Files.list(directory)) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(n -> !n.endsWith(".crc"))
          .toList();
    }
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
    assertThat(ledgers()).singleElement().asString().startsWith(".hbaseindex-ledger-1-");
  }

  @Test
  void read_damagedFile_fails() throws Exception {
    Files.write(directory.resolve(".hbaseindex-ledger-1-a"), new byte[100]);

    assertThatThrownBy(file::read).isInstanceOf(MalformedBlobException.class);
  }

  @Test
  void replace_byTheNextOpening_leavesOneFile() throws Exception {
    file.replace(record("f/a"));
    LedgerFile next = opening();
    assertThat(next.read()).contains(record("f/a"));
    next.replace(record("f/b"));

    assertThat(opening().read()).contains(record("f/b"));
    assertThat(ledgers()).singleElement().asString().startsWith(".hbaseindex-ledger-2-");
  }

  @Test
  void lateWriter_thatLostTheRegion_speaksForNobody() throws Exception {
    file.replace(record("f/lost"));
    LedgerFile owner = opening();
    owner.replace(record("f/own"));
    file.replace(record("f/late"));

    assertThat(opening().read()).contains(record("f/own"));
    opening().replace(record("f/next"));
    assertThat(ledgers()).hasSize(1);
  }

  @Test
  void lateWriter_whenItsLedgerWasClaimed_speaksForNobody() throws Exception {
    file.replace(record("f/lost"));
    LedgerFile owner = opening();
    owner.claim();
    file.replace(record("f/late"));

    assertThat(opening().read()).contains(record("f/lost"));
    assertThat(owner.read()).contains(record("f/lost"));
    owner.claim();
    assertThat(owner.read()).contains(record("f/lost"));
  }

  @Test
  void lateWriter_whenItsLedgerWasDeleted_speaksForNobody() throws Exception {
    file.replace(record("f/lost"));
    opening().delete();
    file.replace(record("f/late"));

    assertThat(opening().read()).isEmpty();
  }

  @Test
  void lateWriter_thatHadWrittenNothing_speaksForNobodyOnceTheNextHasClaimed() throws Exception {
    assertThat(file.read()).isEmpty();
    file.replace(record("f/lost"));
    file.delete();
    opening().claim();
    file.replace(record("f/late"));

    assertThat(opening().read()).isEmpty();
  }

  @Test
  void openings_thatBeganFromTheSameFile_areNotBelieved() throws Exception {
    LedgerFile other = opening();
    assertThat(file.read()).isEqualTo(other.read());
    file.replace(record("f/a"));
    other.replace(record("f/b"));

    LedgerFile next = opening();
    assertThatThrownBy(next::read)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Cannot tell which ledger counts: two openings have left ");
    next.claim();
    assertThat(next.read()).isEmpty();
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
