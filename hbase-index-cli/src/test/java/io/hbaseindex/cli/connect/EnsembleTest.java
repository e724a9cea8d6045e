/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class EnsembleTest {
  @Test
  void parse_portAtTheEnd_isForAllHosts() {
    assertThat(Ensemble.parse("zk1")).isEqualTo(ensemble("zk1", 0, null));
    assertThat(Ensemble.parse("zk1,zk2:2181/hbase")).isEqualTo(ensemble("zk1,zk2", 2181, "/hbase"));
    assertThat(Ensemble.parse("zk1/a/b")).isEqualTo(ensemble("zk1", 0, "/a/b"));
  }

  @Test
  void parse_portsOfTheirOwn_stayWithTheirHosts() {
    assertThat(Ensemble.parse("zk1:2181,zk2:2182/hbase"))
        .isEqualTo(ensemble("zk1:2181,zk2:2182", 0, "/hbase"));
    assertThat(Ensemble.parse("zk1:2181,zk2")).isEqualTo(ensemble("zk1:2181,zk2", 0, null));
  }

  @Test
  void parse_clusterKey_asHBasePrintsIt() {
    assertThat(Ensemble.parse("127.0.0.1:22077:/hbase"))
        .isEqualTo(ensemble("127.0.0.1", 22077, "/hbase"));
  }

  @Test
  void parse_anythingElse_isRefused() {
    for (String text : new String[] {"", "zk1:port", "zk1,,zk2", "/hbase", "zk 1", "a:1:2"}) {
      assertThatThrownBy(() -> Ensemble.parse(text)).as(text).hasMessageContaining("write host");
    }
    assertThatThrownBy(() -> Ensemble.parse("a:0,b:1"))
        .hasMessageContaining("ports are 1 to 65535");
  }

  private static Ensemble ensemble(String quorum, int port, String znode) {
    return new Ensemble(
        quorum, port == 0 ? OptionalInt.empty() : OptionalInt.of(port), Optional.ofNullable(znode));
  }
}
