/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.page;

import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Reads the page of a cluster's active master over HTTP, strictly. */
final class PageClient {
  private final HttpClient http = HttpClient.newHttpClient();
  private final TestCluster cluster;

  PageClient(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Where the page, or something of it, is. */
  URI address(String rest) {
    int port = cluster.mini().getMaster().getInfoServer().getPort();
    return URI.create("http://localhost:" + port + "/hbase-index" + rest);
  }

  HttpResponse<String> get(String rest) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(address(rest)).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> post(String rest) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(address(rest)).POST(HttpRequest.BodyPublishers.noBody()).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** The page of one table. */
  Page table(String table) throws Exception {
    return page("?table=" + encoded(table));
  }

  /** The page that explains a condition. */
  Page explain(String table, String where) throws Exception {
    return page("?table=" + encoded(table) + "&where=" + encoded(where));
  }

  Page page(String rest) throws Exception {
    HttpResponse<String> response = get(rest);
    if (response.statusCode() != 200) {
      throw new IOException("status was " + response.statusCode() + ": " + response.body());
    }
    return new Page(response.body());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** One page, which must be well-formed. */
  static final class Page {
    private final String html;
    private final Document document;

    private Page(String html) throws Exception {
      this.html = html;
      this.document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(html)));
    }

    String html() {
      return html;
    }

    String text() {
      return document.getDocumentElement().getTextContent();
    }

    List<Element> elements(String tag) {
      NodeList nodes = document.getElementsByTagName(tag);
      List<Element> elements = new ArrayList<>();
      for (int i = 0; i < nodes.getLength(); i++) {
        elements.add((Element) nodes.item(i));
      }
      return elements;
    }

    /** What the cells of a class in all strips say, in key order. */
    List<String> cells(String css) {
      return elements("rect").stream()
          .filter(rect -> ((Element) rect.getParentNode()).getAttribute("class").equals("strip"))
          .filter(rect -> rect.getAttribute("class").equals(css))
          .map(Element::getTextContent)
          .toList();
    }
  }
}
