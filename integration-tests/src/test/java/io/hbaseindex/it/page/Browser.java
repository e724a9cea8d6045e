/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.page;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * A headless Chromium of this machine, driven by the chromedriver beside it over the WebDriver
 * protocol. Nothing is downloaded.
 */
final class Browser implements AutoCloseable {
  private static final int ATTEMPTS = 3;
  private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");
  private static final Gson GSON = new Gson();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process driver;
  private final String session;

  private Browser(Process driver, String address, String chromium) throws Exception {
    this.driver = driver;
    Map<String, ?> options =
        Map.of(
            "binary",
            chromium,
            "args",
            List.of(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--window-size=1200,1000"));
    Map<String, ?> capabilities =
        Map.of(
            "browserName",
            "chrome",
            "goog:chromeOptions",
            options,
            "goog:loggingPrefs",
            Map.of("browser", "ALL"));
    JsonElement started =
        send(
            "POST",
            address + "/session",
            Map.of("capabilities", Map.of("alwaysMatch", capabilities)));
    this.session = address + "/session/" + started.getAsJsonObject().get("sessionId").getAsString();
  }

  /** Starts a browser; empty if this machine has none. */
  static Optional<Browser> start() throws Exception {
    Optional<String> chromium = installed("chromium", "chromium-browser", "google-chrome");
    Optional<String> chromedriver = installed("chromedriver");
    if (chromium.isEmpty() || chromedriver.isEmpty()) {
      return Optional.empty();
    }
    for (int attempt = 1; ; attempt++) {
      Process driver =
          new ProcessBuilder(chromedriver.get(), "--port=0").redirectErrorStream(true).start();
      try {
        return Optional.of(new Browser(driver, address(driver), chromium.get()));
      } catch (Exception e) {
        driver.destroyForcibly();
        // The port that it has chosen may be taken in the moment before it listens.
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static Optional<String> installed(String... names) {
    return Arrays.stream(names)
        .flatMap(
            name ->
                Stream.of(System.getenv("PATH").split(":")).map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  private static String address(Process driver) throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      said.append(' ').append(line);
      Matcher started = STARTED.matcher(line);
      if (started.find()) {
        return "http://localhost:" + started.group(1);
      }
    }
    throw new IOException("Cannot start chromedriver: it ended without naming its port:" + said);
  }

  /** Goes to a page, and waits until it is loaded. */
  void open(URI address) throws Exception {
    post("/url", Map.of("url", address.toString()));
  }

  /** What a script returns. */
  JsonElement script(String script) throws Exception {
    return post("/execute/sync", Map.of("script", script, "args", List.of()));
  }

  /** How many elements a selector finds. */
  int count(String selector) throws Exception {
    return script("return document.querySelectorAll('" + selector + "').length").getAsInt();
  }

  /** The text of the first element that a selector finds. */
  String text(String selector) throws Exception {
    return script("return document.querySelector('" + selector + "').textContent").getAsString();
  }

  /** A property of the style that an element is drawn with. */
  String style(String selector, String property) throws Exception {
    return script(
            "return getComputedStyle(document.querySelector('%s'))['%s']"
                .formatted(selector, property))
        .getAsString();
  }

  void type(String selector, String text) throws Exception {
    post("/element/" + element(selector) + "/clear", Map.of());
    post("/element/" + element(selector) + "/value", Map.of("text", text));
  }

  void click(String selector) throws Exception {
    post("/element/" + element(selector) + "/click", Map.of());
  }

  /** Points at the middle of an element. */
  void pointAt(String selector) throws Exception {
    Map<String, ?> move =
        Map.of(
            "type",
            "pointerMove",
            "duration",
            0,
            "x",
            0,
            "y",
            0,
            "origin",
            Map.of("element-6066-11e4-a52e-4f735466cecf", element(selector)));
    post(
        "/actions",
        Map.of(
            "actions",
            List.of(Map.of("type", "pointer", "id", "mouse", "actions", List.of(move)))));
  }

  private String element(String selector) throws Exception {
    return post("/element", Map.of("using", "css selector", "value", selector))
        .getAsJsonObject()
        .entrySet()
        .iterator()
        .next()
        .getValue()
        .getAsString();
  }

  /** Makes pages believe that their reader prefers light or dark. */
  void prefer(String colourScheme) throws Exception {
    Map<String, ?> feature = Map.of("name", "prefers-color-scheme", "value", colourScheme);
    command("Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
  }

  /** Lets pages run scripts of their own, or not. */
  void runScripts(boolean allowed) throws Exception {
    command("Emulation.setScriptExecutionDisabled", Map.of("value", !allowed));
  }

  private void command(String name, Map<String, ?> parameters) throws Exception {
    post("/goog/cdp/execute", Map.of("cmd", name, "params", parameters));
  }

  /** What the browser complained about since the last call. */
  List<String> complaints() throws Exception {
    return post("/se/log", Map.of("type", "browser")).getAsJsonArray().asList().stream()
        .map(JsonElement::toString)
        .toList();
  }

  /** What the window shows, as PNG. */
  byte[] picture() throws Exception {
    return Base64.getDecoder().decode(send("GET", session + "/screenshot", null).getAsString());
  }

  private JsonElement post(String command, Map<String, ?> body) throws Exception {
    return send("POST", session + command, body);
  }

  private JsonElement send(String method, String address, Map<String, ?> body) throws Exception {
    HttpRequest.BodyPublisher content =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(GSON.toJson(body));
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(URI.create(address)).method(method, content).build(),
            HttpResponse.BodyHandlers.ofString());
    JsonElement value = JsonParser.parseString(response.body()).getAsJsonObject().get("value");
    if (response.statusCode() != 200) {
      throw new IOException("Cannot " + method + " " + address + ": " + value);
    }
    return value;
  }

  @Override
  public void close() throws Exception {
    try {
      send("DELETE", session, null);
    } finally {
      driver.destroy();
      driver.waitFor();
    }
  }
}
