/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.IndexedAsyncConnection;
import io.hbaseindex.client.IndexedConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fragments in conf/ do what they say as they are shipped, and agree with docs/SETTINGS.md. */
class ConfigurationFragmentsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern PROPERTY =
      Pattern.compile("<name>([^<]+)</name>\\s*<value>([^<]*)</value>");
  private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);
  private static final Pattern DEFAULT =
      Pattern.compile(
          "^\\| `(hbaseindex\\.[a-z.-]*[a-z])` \\| [^|]* \\| ([^|]*) \\|", Pattern.MULTILINE);

  @ParameterizedTest
  @ValueSource(strings = {"client", "master", "regionserver"})
  void everyProperty_isThereOnce_andHasItsDefault(String role) throws IOException {
    Map<String, String> defaults = defaults();
    List<String> seen = new ArrayList<>();
    Matcher property = PROPERTY.matcher(active(role));
    while (property.find()) {
      seen.add(property.group(1));
      if (property.group(1).startsWith("hbaseindex.")) {
        assertThat(property.group(2))
            .as(property.group(1))
            .isEqualTo(defaults.get(property.group(1)));
      }
    }
    assertThat(seen).isNotEmpty().doesNotHaveDuplicates();
  }

  @Test
  void clientFragment_switchesRoutingOn() {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(fragment("client").toUri()));

    assertThat(conf.get("hbase.client.connection.impl"))
        .isEqualTo(IndexedConnection.class.getName());
    assertThat(conf.get(ConnectionFactory.HBASE_CLIENT_ASYNC_CONNECTION_IMPL))
        .isEqualTo(IndexedAsyncConnection.class.getName());
  }

  private static Map<String, String> defaults() throws IOException {
    Map<String, String> defaults = new TreeMap<>();
    DEFAULT
        .matcher(Files.readString(ROOT.resolve("docs/SETTINGS.md")))
        .results()
        .forEach(row -> defaults.put(row.group(1), row.group(2).replace("`", "").strip()));
    return defaults;
  }

  private static String active(String role) throws IOException {
    return COMMENT.matcher(Files.readString(fragment(role))).replaceAll("");
  }

  private static Path fragment(String role) {
    return ROOT.resolve("conf/hbase-site-" + role + ".xml").toAbsolutePath().normalize();
  }
}
