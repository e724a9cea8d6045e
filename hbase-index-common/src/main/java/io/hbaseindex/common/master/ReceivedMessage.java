/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.master;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reading of messages that another process has made, and that may be broken.
 *
 * <p>The parser of protobuf 2.5, which HBase brings along for its endpoints, adds the length of a
 * nested message to its own position without a look at the overflow. From then on it believes to
 * have two billion bytes before it: it allocates whatever the next length says, and runs out of its
 * array. So the lengths are looked at before: the fields of one level, whose bytes are bounded by
 * what is there, then those of each message in them.
 */
@InterfaceAudience.Private
public final class ReceivedMessage {
  private ReceivedMessage() {}

  /**
   * Reads a message.
   *
   * @param what for the error: a question, an answer
   * @param like a message of the same type
   * @throws IOException if it is broken, in whatever way
   */
  public static <T extends Message> T read(String what, ByteString message, T like)
      throws IOException {
    try {
      requireLengths(message, like.getDescriptorForType());
      // The parser of a message gives messages of its own type.
      @SuppressWarnings("unchecked")
      T read = (T) like.getParserForType().parseFrom(message);
      return read;
    } catch (IOException | RuntimeException e) {
      throw new IOException("Cannot read " + what + ": it was damaged", e);
    }
  }

  private static void requireLengths(ByteString message, Descriptor type) throws IOException {
    UnknownFieldSet fields = UnknownFieldSet.parseFrom(message);
    for (FieldDescriptor field : type.getFields()) {
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        for (ByteString nested : fields.getField(field.getNumber()).getLengthDelimitedList()) {
          requireLengths(nested, field.getMessageType());
        }
      }
    }
  }
}
