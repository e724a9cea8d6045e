/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Another build of a jar: the same classes under another manifest, compressed anew. */
public final class RepackedJar {
  private RepackedJar() {}

  public static Path of(Path jar, Path target, String build) throws IOException {
    try (JarInputStream in = new JarInputStream(Files.newInputStream(jar))) {
      Manifest manifest = in.getManifest();
      manifest.getMainAttributes().putValue("Build", build);
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(target), manifest)) {
        for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
          out.putNextEntry(new JarEntry(entry.getName()));
          in.transferTo(out);
          out.closeEntry();
        }
      }
    }
    return target;
  }
}
