/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.doctor.ServerHealth.Role;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiagnosisTest {
  private static final ServerHealth MASTER = ServerHealth.running("m", Role.MASTER, "1.1");

  @Test
  void oneVersionEverywhere_isHealthy() {
    assertThat(
            Diagnosis.comparing(
                    List.of(
                        MASTER,
                        ServerHealth.running("a", Role.REGION_SERVER, "1.1"),
                        ServerHealth.notAsked("b", Role.REGION_SERVER, "it has no region")))
                .isHealthy())
        .isTrue();
  }

  @Test
  void serverOfAnotherVersionThanMost_isFound() {
    Diagnosis diagnosis =
        Diagnosis.comparing(
            List.of(
                MASTER,
                ServerHealth.running("a", Role.REGION_SERVER, "1.0"),
                ServerHealth.running("b", Role.REGION_SERVER, "1.1")));

    assertThat(diagnosis.isHealthy()).isFalse();
    assertThat(diagnosis.servers().get(1).fault())
        .hasValue("runs another version than most servers, 1.1; upgrade all to one");
    assertThat(diagnosis.servers().get(2).fault()).isEmpty();
    assertThat(diagnosis.withoutJar()).isEmpty();
  }

  @Test
  void serverWithoutJar_isFound_andTold() {
    ServerHealth bare = ServerHealth.withoutJar("a", Role.REGION_SERVER, "has no jar");

    Diagnosis diagnosis = Diagnosis.comparing(List.of(MASTER, bare));

    assertThat(diagnosis.isHealthy()).isFalse();
    assertThat(diagnosis.withoutJar()).containsExactly(bare);
    assertThat(bare.withFault("and another").fault()).hasValue("has no jar; and another");
  }
}
