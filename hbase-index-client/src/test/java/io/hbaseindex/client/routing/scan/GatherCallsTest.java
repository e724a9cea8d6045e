/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.ServiceException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.junit.jupiter.api.Test;

/** When servers are asked for several regions at once, and when they are left alone. */
class GatherCallsTest {
  private long nanos = -5;
  private final GatherCalls calls = new GatherCalls(() -> nanos);

  /** A table whose servers fail every call. */
  private static Table failing(IOException failure) {
    CoprocessorRpcChannel channel =
        new CoprocessorRpcChannel() {
          @Override
          public void callMethod(
              MethodDescriptor method,
              RpcController controller,
              Message request,
              Message answer,
              RpcCallback<Message> done) {
            throw new AssertionError("calls wait for their answers");
          }

          @Override
          public Message callBlockingMethod(
              MethodDescriptor method, RpcController controller, Message request, Message answer)
              throws ServiceException {
            throw new ServiceException(failure);
          }
        };
    return (Table)
        Proxy.newProxyInstance(
            Table.class.getClassLoader(),
            new Class<?>[] {Table.class},
            (self, method, arguments) -> channel);
  }

  private void fail(IOException failure) {
    assertThatThrownBy(() -> calls.on(failing(failure)).read(List.of(new Scan(), new Scan())))
        .isInstanceOf(IOException.class);
  }

  @Test
  void callThatFails_isNotTriedAgainForTenSeconds() {
    assertThat(calls.areWelcome()).isTrue();

    fail(new IOException("no such service"));

    nanos += Duration.ofSeconds(10).toNanos() - 1;
    assertThat(calls.areWelcome()).isFalse();
    nanos++;
    assertThat(calls.areWelcome()).isTrue();
  }

  @Test
  void serverThatDoesNotAnswer_isLeftAlone() {
    fail(new SocketTimeoutException("60 s"));

    assertThat(calls.areWelcome()).isFalse();
  }

  @Test
  void scannerThatIsClosedEarly_changesNothing() {
    fail(new InterruptedIOException("closed"));

    assertThat(calls.areWelcome()).isTrue();
  }
}
