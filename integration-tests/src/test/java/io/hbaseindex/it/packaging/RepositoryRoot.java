package io.hbaseindex.it.packaging;

import java.nio.file.Path;

/** Where the sources this build is made from lie. */
final class RepositoryRoot {
  private RepositoryRoot() {}

  static Path path() {
    return Path.of(System.getProperty("hbaseindex.root")).normalize();
  }
}
