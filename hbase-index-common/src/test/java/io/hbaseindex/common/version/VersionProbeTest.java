/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.util.StringUtils;
import org.junit.jupiter.api.Test;

/** The probe as a region server reads it, and what comes back over the wire. */
class VersionProbeTest {
  @Test
  void serverThatHasTheClass_answersWithItsVersion() throws IOException {
    Throwable refusal = asReceived(ProtobufUtil.toFilter(new VersionProbe()));

    assertThat(VersionProbe.versionIn(refusal)).hasValue("unpackaged");
    assertThat(VersionProbe.isClassMissing(refusal, VersionProbe.class.getName())).isFalse();
  }

  @Test
  void serverThatLacksTheClass_isKnownByIt() {
    String absent = VersionProbe.class.getName() + "OfTheFuture";
    Throwable refusal =
        asReceived(
            FilterProtos.Filter.newBuilder(FilterProtos.Filter.getDefaultInstance())
                .setName(absent)
                .build());

    assertThat(VersionProbe.isClassMissing(refusal, absent)).isTrue();
    assertThat(VersionProbe.versionIn(refusal)).isEmpty();
  }

  @Test
  void anyOtherError_tellsNothing() {
    IOException error = new IOException("No route", new IOException((String) null));

    assertThat(VersionProbe.versionIn(error)).isEmpty();
    assertThat(VersionProbe.isClassMissing(error, VersionProbe.class.getName())).isFalse();
  }

  /** HBase sends an error as its class and the text of its stack. */
  private static IOException asReceived(FilterProtos.Filter sent) {
    Throwable thrown = catchThrowable(() -> ProtobufUtil.toFilter(sent));
    return new RemoteException(
            thrown.getClass().getName(), StringUtils.stringifyException(thrown))
        .unwrapRemoteException();
  }
}
