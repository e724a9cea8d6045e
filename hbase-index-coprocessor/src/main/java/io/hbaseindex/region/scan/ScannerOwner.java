/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import java.util.Optional;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * The user who opened a scanner, and the only one who may read on with it.
 *
 * <p>HBase's access and visibility controllers check this themselves, but remember the owner of the
 * scanner they saw opening. When rows are asked for, they are handed the scanner that was wrapped
 * around it, find no owner and let everybody pass who knows the scanner's number.
 */
final class ScannerOwner {
  private static final ScannerOwner NOBODY = new ScannerOwner(Optional.empty());

  private final Optional<String> name;

  private ScannerOwner(Optional<String> name) {
    this.name = name;
  }

  /** The user whose call opens a scanner on this thread. */
  static ScannerOwner ofThisCall(boolean authorizationEnabled) {
    return authorizationEnabled ? new ScannerOwner(RpcServer.getRequestUserName()) : NOBODY;
  }

  /**
   * Passes if this thread serves the owner, or nobody's call: the server reads as it likes.
   *
   * @throws AccessDeniedException otherwise
   */
  void requireThisCall() throws AccessDeniedException {
    if (name.isPresent() && RpcServer.isInRpcCallContext()) {
      Optional<String> caller = RpcServer.getRequestUserName();
      if (!name.equals(caller)) {
        throw new AccessDeniedException(
            "Cannot read on: user %s did not open the scanner; open one of your own"
                .formatted(caller.orElse("(unknown)")));
      }
    }
  }
}
