/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.master;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** Listens to the log in which HBase's master notes calls of coprocessor services. */
final class AuditLines implements AutoCloseable {
  static final String LOGGER = "SecurityLogger.org.apache.hadoop.hbase.master.MasterRpcServices";

  private final Logger logger = (Logger) LogManager.getLogger(LOGGER);
  private final Level before = logger.getLevel();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AbstractAppender listener =
      new AbstractAppender("audit-lines", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          lines.add(event.getMessage().getFormattedMessage());
        }
      };

  /** Listens with the logger at a level of its own. */
  AuditLines(Level level) {
    listener.start();
    logger.addAppender(listener);
    logger.setAdditive(false);
    logger.setLevel(level);
  }

  /** The lines about one method of the index's service so far. */
  List<String> of(String method) {
    return lines.stream().filter(line -> line.endsWith("IndexMasterService." + method)).toList();
  }

  @Override
  public void close() {
    logger.removeAppender(listener);
    logger.setAdditive(true);
    logger.setLevel(before);
    listener.stop();
  }
}
