/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.region.publish.PublishingThread;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A region server that hears of no answer to its pushes until this is closed, and whose writes wait
 * for them for hardly any time before they give up.
 */
final class UnconfirmedPushes implements AutoCloseable {
  private static final Duration HARDLY_ANY = Duration.ofNanos(100);

  private final CompletableFuture<Void> letGo = new CompletableFuture<>();
  private final AtomicInteger heldBack = new AtomicInteger();
  private final Deque<AutoCloseable> undo = new ArrayDeque<>();

  private UnconfirmedPushes() {}

  static UnconfirmedPushes of(PublishingThread publishing) throws ReflectiveOperationException {
    UnconfirmedPushes pushes = new UnconfirmedPushes();
    Map<?, ?> links = (Map<?, ?>) field(publishing, "links").get(publishing);
    for (Object link : links.values()) {
      Field transport = field(link, "transport");
      pushes.exchange(transport, link, pushes.holdingBack(transport.get(link)));
    }
    Field terms = field(publishing, "terms");
    pushes.exchange(terms, publishing, LeaseTerms.ofLease(HARDLY_ANY));
    return pushes;
  }

  /** Pushes whose answers came and were not told. */
  int heldBack() {
    return heldBack.get();
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable step : undo) {
      step.close();
    }
    letGo.complete(null);
  }

  private void exchange(Field field, Object owner, Object now) throws IllegalAccessException {
    Object before = field.get(owner);
    field.set(owner, now);
    undo.push(() -> field.set(owner, before));
  }

  private Object holdingBack(Object transport) {
    Class<?> type = transport.getClass();
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        type.getInterfaces(),
        (proxy, method, arguments) -> {
          Object answer = call(transport, method, arguments);
          if (!method.getName().equals("send")) {
            return answer;
          }
          heldBack.incrementAndGet();
          return ((CompletableFuture<?>) answer).thenCombine(letGo, (reply, nothing) -> reply);
        });
  }

  private static Object call(Object transport, Method method, Object[] arguments) throws Throwable {
    try {
      method.setAccessible(true);
      return method.invoke(transport, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Field field(Object owner, String name) throws NoSuchFieldException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
