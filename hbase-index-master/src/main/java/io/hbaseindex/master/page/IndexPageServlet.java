/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import io.hbaseindex.master.page.model.PageQuestion;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The page in the master's web server. It answers GET alone, with HTML and the two files that the
 * HTML names; nothing of it comes from elsewhere, and the browser is told so. A master that is not
 * active has no page.
 */
@InterfaceAudience.Private
public final class IndexPageServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private static final String PAGE_ATTRIBUTE = IndexPage.class.getName();
  private static final String POLICY =
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
          + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  private static final Map<String, String> FILES =
      Map.of("/page.css", "text/css", "/page.js", "text/javascript");

  /** What answers the questions of visitors, as HTML. */
  interface Answers {
    String answer(PageQuestion question) throws IOException;
  }

  /** Shows a page in a web server that has this servlet. */
  static void show(InfoServer server, Answers page) {
    server.setAttribute(PAGE_ATTRIBUTE, page);
  }

  /** Shows no page any more. */
  static void hide(InfoServer server) {
    server.setAttribute(PAGE_ATTRIBUTE, null);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setCharacterEncoding(StandardCharsets.UTF_8.name());
    String path = request.getPathInfo();
    if (path == null || path.equals("/")) {
      page(request, response);
    } else if (FILES.containsKey(path)) {
      file(path, response);
    } else {
      response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }
  }

  private void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Answers page = (Answers) getServletContext().getAttribute(PAGE_ATTRIBUTE);
    if (page == null) {
      response.sendError(
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "This master is not active; /master-status names the active one");
      return;
    }
    try {
      byte[] html = page.answer(question(request)).getBytes(StandardCharsets.UTF_8);
      response.setContentType("text/html");
      response.setHeader("Cache-Control", "no-store");
      response.setContentLength(html.length);
      response.getOutputStream().write(html);
    } catch (CallQueueTooBigException busy) {
      response.setHeader("Retry-After", "1");
      response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, busy.getMessage());
    } catch (IllegalArgumentException malformed) {
      response.sendError(HttpServletResponse.SC_BAD_REQUEST, malformed.getMessage());
    }
  }

  /** Reads the query as it was sent: HBase's web server gives parameters with quotes replaced. */
  private static PageQuestion question(HttpServletRequest request) {
    Map<String, String> parameters = new HashMap<>();
    String query = request.getQueryString();
    for (String parameter : query == null ? new String[0] : query.split("&")) {
      int equals = parameter.indexOf('=');
      if (equals > 0) {
        parameters.put(
            parameter.substring(0, equals),
            URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8).strip());
      }
    }
    return new PageQuestion(
        Optional.ofNullable(parameters.get("table")).filter(table -> !table.isEmpty()),
        parameters.getOrDefault("from", ""),
        parameters.getOrDefault("where", ""),
        Optional.ofNullable(request.getRemoteUser()));
  }

  private static void file(String path, HttpServletResponse response) throws IOException {
    try (InputStream file = IndexPageServlet.class.getResourceAsStream(path.substring(1))) {
      response.setContentType(FILES.get(path));
      response.setHeader("Cache-Control", "max-age=3600");
      file.transferTo(response.getOutputStream());
    }
  }
}
