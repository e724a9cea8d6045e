/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.master.page.IndexPageInitializer;
import java.io.File;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.LoginContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.http.HttpServer;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.minikdc.MiniKdc;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.GSSName;
import org.ietf.jgss.Oid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where HBase's web UI authenticates, the page is for administrators. The web server is a master's
 * without a master, so whoever is let in hears that it is not active.
 */
@Tag("cluster")
class AuthenticatedPageIT {
  private static final String SPNEGO = "1.3.6.1.5.5.2";

  @TempDir private static Path directory;

  private static MiniKdc kdc;
  private static File keys;
  private static InfoServer web;

  @BeforeAll
  static void start() throws Exception {
    kdc = new MiniKdc(MiniKdc.createConf(), directory.toFile());
    kdc.start();
    keys = directory.resolve("all.keytab").toFile();
    kdc.createPrincipal(keys, "HTTP/localhost", "operator", "somebody");
    Configuration conf = HBaseConfiguration.create();
    conf.set(HttpServer.HTTP_UI_AUTHENTICATION, "kerberos");
    conf.set(
        "hbase.security.authentication.spnego.kerberos.principal",
        "HTTP/localhost@" + kdc.getRealm());
    conf.set("hbase.security.authentication.spnego.kerberos.keytab", keys.getPath());
    conf.set("hbase.security.authentication.spnego.kerberos.name.rules", "DEFAULT");
    conf.set("hbase.security.authentication.spnego.admin.users", "operator");
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set("hbase.http.filter.initializers", IndexPageInitializer.class.getName());
    web = new InfoServer("master", "localhost", 0, true, conf);
    web.start();
  }

  @AfterAll
  static void stop() throws Exception {
    if (web != null) {
      web.stop();
    }
    kdc.stop();
  }

  @Test
  void page_isForAdministratorsOnly_withAllItsFiles() throws Exception {
    for (String path : new String[] {"/hbase-index", "/hbase-index/page.css"}) {
      assertThat(answer(path, null)).as(path).startsWith("401 ");
      assertThat(answer(path, "somebody"))
          .as(path)
          .startsWith("403 ")
          .contains("User somebody is unauthorized to access this page.");
    }
    assertThat(answer("/hbase-index", "operator"))
        .startsWith("503 ")
        .contains("This master is not active");
    assertThat(answer("/hbase-index/page.css", "operator")).startsWith("200 ");
  }

  /** What a user, or nobody, is answered: the status and the body. */
  private static String answer(String path, String user) throws Exception {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create("http://localhost:" + web.getPort() + path).toURL().openConnection();
    if (user != null) {
      connection.setRequestProperty("Authorization", "Negotiate " + token(user));
    }
    int status = connection.getResponseCode();
    try (InputStream body =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return status + " " + new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String token(String user) throws Exception {
    LoginContext login =
        new LoginContext(
            "page",
            new Subject(false, Set.of(new KerberosPrincipal(user)), Set.of(), Set.of()),
            null,
            withKeysOf(user));
    login.login();
    return Subject.doAs(
        login.getSubject(), (PrivilegedExceptionAction<String>) AuthenticatedPageIT::token);
  }

  private static String token() throws Exception {
    GSSManager manager = GSSManager.getInstance();
    GSSContext context =
        manager.createContext(
            manager.createName("HTTP@localhost", GSSName.NT_HOSTBASED_SERVICE),
            new Oid(SPNEGO),
            null,
            GSSContext.DEFAULT_LIFETIME);
    return Base64.getEncoder().encodeToString(context.initSecContext(new byte[0], 0, 0));
  }

  private static javax.security.auth.login.Configuration withKeysOf(String user) {
    Map<String, String> options =
        Map.of(
            "useKeyTab", "true",
            "keyTab", keys.getPath(),
            "principal", user,
            "storeKey", "true",
            "doNotPrompt", "true",
            "isInitiator", "true",
            "refreshKrb5Config", "true");
    return new javax.security.auth.login.Configuration() {
      @Override
      public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
        return new AppConfigurationEntry[] {
          new AppConfigurationEntry(
              "com.sun.security.auth.module.Krb5LoginModule",
              LoginModuleControlFlag.REQUIRED,
              options)
        };
      }
    };
  }
}
