/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Makes objects that pass every call on to another one, but for the few they answer themselves.
 * Passing on by reflection rather than by hand lets calls through that a later HBase adds, and
 * costs nothing beside a call over the network.
 */
final class Forwarding {
  /** Answers a call, or has it passed on. */
  interface Interceptor {
    /**
     * Answers a call.
     *
     * @param passOn passes the call on, and gives or throws what comes back
     */
    Object call(Method method, Object[] arguments, PassOn passOn) throws Throwable;
  }

  /** A call that can be passed on. */
  interface PassOn {
    Object call() throws Throwable;
  }

  private Forwarding() {}

  /**
   * An object that stands for the target. It is equal to itself alone, as the target is, which does
   * not know of it.
   */
  static <T> T proxy(Class<T> type, T target, Interceptor interceptor) {
    return type.cast(
        Proxy.newProxyInstance(
            Forwarding.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getDeclaringClass() != Object.class) {
                return interceptor.call(method, arguments, () -> invoke(target, method, arguments));
              }
              return method.getName().equals("equals")
                  ? proxy == arguments[0]
                  : invoke(target, method, arguments);
            }));
  }

  /** Calls a method, and throws what it throws. */
  static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
