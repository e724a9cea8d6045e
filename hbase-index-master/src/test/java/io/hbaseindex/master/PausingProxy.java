/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between clients and a server on this machine, and can be told to let nothing through. Then
 * bytes wait, as if packets were lost, and nobody is told that the connection is gone.
 */
final class PausingProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final int serverPort;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private boolean paused;

  PausingProxy(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  synchronized void pause() {
    paused = true;
  }

  synchronized void resume() {
    paused = false;
    notifyAll();
  }

  /** Ends all connections; new ones may be made. */
  void cut() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        sockets.add(client);
        sockets.add(server);
        daemon(() -> copy(client, server));
        daemon(() -> copy(server, client));
      }
    } catch (IOException e) {
      return; // closed
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        awaitPassage();
        out.write(buffer, 0, length);
      }
    } catch (IOException | InterruptedException e) {
      return; // cut
    }
  }

  private synchronized void awaitPassage() throws InterruptedException {
    while (paused) {
      wait();
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    cut();
    resume();
  }
}
