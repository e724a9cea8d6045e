/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.doctor;

import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one server has of the product.
 *
 * @param server its name
 * @param version what it runs; empty if it has nothing or was not asked
 * @param fault what is wrong and what to do; empty if nothing is known to be
 * @param jarMissing whether a region with an index that opens there would end the server
 * @param remark what else is to be said, such as why it was not asked
 */
@InterfaceAudience.Public
public record ServerHealth(
    String server,
    Role role,
    Optional<String> version,
    Optional<String> fault,
    boolean jarMissing,
    Optional<String> remark) {

  /** What a server does in its cluster. */
  public enum Role {
    /** The active master. */
    MASTER,
    /** A master that waits to become active. */
    BACKUP_MASTER,
    /** A server that holds regions. */
    REGION_SERVER
  }

  static ServerHealth running(String server, Role role, String version) {
    return new ServerHealth(
        server, role, Optional.of(version), Optional.empty(), false, Optional.empty());
  }

  static ServerHealth withoutJar(String server, Role role, String fault) {
    return new ServerHealth(
        server, role, Optional.empty(), Optional.of(fault), true, Optional.empty());
  }

  static ServerHealth notAsked(String server, Role role, String remark) {
    return new ServerHealth(
        server, role, Optional.empty(), Optional.empty(), false, Optional.of(remark));
  }

  /** The same with one fault more. */
  ServerHealth withFault(String more) {
    return new ServerHealth(
        server,
        role,
        version,
        Optional.of(fault.map(first -> first + "; " + more).orElse(more)),
        jarMissing,
        remark);
  }
}
