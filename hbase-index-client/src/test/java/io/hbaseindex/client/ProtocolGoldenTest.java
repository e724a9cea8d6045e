/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.hbaseindex.core.testing.GoldenFile;
import io.hbaseindex.protocol.IndexMasterProtos;
import io.hbaseindex.protocol.IndexRegionProtos;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The messages of the two services, byte by byte: one of each kind with every field in it, filled
 * by its number and type. A field that is renumbered or gets another type changes its bytes; a new
 * one adds some.
 */
class ProtocolGoldenTest {
  @Test
  void messages_ofTheMaster_areWrittenAndReadAsEver() throws Exception {
    pin("index-master-messages", IndexMasterProtos.getDescriptor());
  }

  @Test
  void messages_ofRegions_areWrittenAndReadAsEver() throws Exception {
    pin("index-region-messages", IndexRegionProtos.getDescriptor());
  }

  private static void pin(String form, FileDescriptor file) throws Exception {
    List<Message> messages = new ArrayList<>();
    StringBuilder written = new StringBuilder();
    for (Descriptor type : file.getMessageTypes()) {
      Message message = filled(type);
      messages.add(message);
      String hex = HexFormat.of().formatHex(message.toByteArray());
      written.append("%s %s\n".formatted(type.getName(), hex).replace(" \n", "\n"));
    }

    List<String> golden = GoldenFile.text(form, written.toString()).lines().toList();

    for (int at = 0; at < messages.size(); at++) {
      Message message = messages.get(at);
      String hex =
          golden.get(at).substring(message.getDescriptorForType().getName().length()).strip();
      Message read =
          DynamicMessage.parseFrom(message.getDescriptorForType(), HexFormat.of().parseHex(hex));
      assertThat(read).isEqualTo(message);
    }
  }

  private static Message filled(Descriptor type) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      if (field.isRepeated()) {
        message.addRepeatedField(field, value(field));
        message.addRepeatedField(field, value(field));
      } else {
        message.setField(field, value(field));
      }
    }
    return message.build();
  }

  private static Object value(FieldDescriptor field) {
    int number = field.getNumber();
    return switch (field.getJavaType()) {
      case INT -> 100 + number;
      case LONG -> (100L + number) << 33;
      case FLOAT -> number / 4f;
      case DOUBLE -> number / 4d;
      case BOOLEAN -> true;
      case STRING -> "text " + number;
      case BYTE_STRING -> ByteString.copyFrom(new byte[] {0, -1, (byte) number});
      case ENUM -> field.getEnumType().getValues().get(field.getEnumType().getValues().size() - 1);
      case MESSAGE -> filled(field.getMessageType());
    };
  }
}
