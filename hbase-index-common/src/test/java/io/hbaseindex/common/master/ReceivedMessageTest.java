/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** With messages that protobuf brings along. */
class ReceivedMessageTest {
  /** A length of 2^31 - 1, which a position is added to. */
  private static final String LONGEST = "ffffffff07";

  private static final String NESTED = tag(FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER);

  @Test
  void whole_isRead() throws IOException {
    FileDescriptorProto answer = DescriptorProto.getDescriptor().getFile().toProto();

    assertThat(read(answer.toByteString())).isEqualTo(answer);
  }

  @Test
  void cut_isRefused() {
    assertRefused(NESTED + "05" + "00");
  }

  @Test
  void nestedLength_thatOverflowsWithItsPosition_isRefusedBeforeTheParserBelievesIt() {
    // The parser would make an array of 256 MB for what comes next.
    assertRefused(
        NESTED + LONGEST + tag(DescriptorProto.NAME_FIELD_NUMBER) + "ffffefff40" + "4150");
  }

  @Test
  void lengthOfTheSecondLevel_thatOverflows_isRefusedToo() {
    String inner = tag(DescriptorProto.FIELD_FIELD_NUMBER) + LONGEST;
    assertRefused(NESTED + "%02x".formatted(inner.length() / 2) + inner);
  }

  private static String tag(int field) {
    return "%02x".formatted(field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED);
  }

  private static void assertRefused(String message) {
    assertThatThrownBy(() -> read(ByteString.copyFrom(HexFormat.of().parseHex(message))))
        .isInstanceOf(IOException.class)
        .hasMessage("Cannot read an answer: it was damaged")
        .hasCauseInstanceOf(InvalidProtocolBufferException.class);
  }

  private static FileDescriptorProto read(ByteString message) throws IOException {
    return ReceivedMessage.read("an answer", message, FileDescriptorProto.getDefaultInstance());
  }
}
