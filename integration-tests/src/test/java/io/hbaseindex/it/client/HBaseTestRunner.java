/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import io.hbaseindex.client.IndexedAsyncConnection;
import io.hbaseindex.client.IndexedConnection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;

/**
 * Runs JUnit 4 tests of HBase itself, in a process whose configuration names the indexed
 * connections. Of tests with several sets of parameters the first set is run.
 */
public final class HBaseTestRunner {
  private HBaseTestRunner() {}

  /** Runs the classes named, and says how many tests passed. */
  public static void main(String... classes) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    require(conf, "hbase.client.connection.impl", IndexedConnection.class);
    require(conf, "hbase.client.async.connection.impl", IndexedAsyncConnection.class);
    int passed = 0;
    boolean failed = false;
    for (String name : List.of(classes)) {
      long began = System.nanoTime();
      Result result =
          new JUnitCore()
              .run(Request.aClass(Class.forName(name)).filterWith(new FirstParameters()));
      System.out.printf(
          "%s: %d run, %d ignored, %d failed, %d s%n",
          name,
          result.getRunCount(),
          result.getIgnoreCount(),
          result.getFailureCount(),
          (System.nanoTime() - began) / 1_000_000_000);
      for (Failure failure : result.getFailures()) {
        System.out.println("FAILED " + failure.getTestHeader());
        System.out.println(failure.getTrace());
      }
      failed |= !result.wasSuccessful();
      passed += result.getRunCount() - result.getFailureCount();
    }
    System.out.println("PASSED " + passed);
    System.out.flush();
    // Threads of mini clusters would keep the process alive.
    Runtime.getRuntime().halt(failed ? 1 : 0);
  }

  private static void require(Configuration conf, String key, Class<?> expected) {
    if (!expected.getName().equals(conf.get(key))) {
      throw new IllegalStateException(
          "Cannot run tests: %s was %s; put %s into hbase-site.xml"
              .formatted(key, conf.get(key), expected.getName()));
    }
  }

  private static final class FirstParameters extends Filter {
    @Override
    public boolean shouldRun(Description description) {
      String name = description.getDisplayName();
      boolean parameterSet = description.isSuite() && name.startsWith("[");
      return !parameterSet || name.startsWith("[0");
    }

    @Override
    public String describe() {
      return "the first set of parameters";
    }
  }
}
