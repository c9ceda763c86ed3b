package touchline.ingest.rtmp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A network between two nodes that stops, or resets its connections. Any thread. */
final class CutLink implements AutoCloseable {
    private final ServerSocket listener;
    private final int targetPort;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Socket> sockets = new ArrayList<>();
    private boolean stopped;

    CutLink(int targetPort) throws IOException {
        this.targetPort = targetPort;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
    }

    /** Passes nothing on, in both directions, or again. */
    void stop(boolean stop) {
        lock.lock();
        try {
            stopped = stop;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** As the kernel does for a process that is killed: nothing listens any more. */
    void kill() throws IOException {
        listener.close();
        lock.lock();
        try {
            for (Socket each : sockets) {
                if (!each.isClosed()) {
                    each.setSoLinger(true, 0);
                    each.close();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket from = listener.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), targetPort);
                lock.lock();
                try {
                    sockets.add(from);
                    sockets.add(to);
                } finally {
                    lock.unlock();
                }
                Thread.ofVirtual().start(() -> pump(from, to));
                Thread.ofVirtual().start(() -> pump(to, from));
            }
        } catch (IOException _) {
            // The end of the test.
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] bytes = new byte[16 << 10];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            int count = in.read(bytes);
            while (count > 0) {
                awaitFlow();
                out.write(bytes, 0, count);
                count = in.read(bytes);
            }
            to.shutdownOutput();
        } catch (IOException _) {
            // Cut.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitFlow() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (stopped) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        stop(false);
        kill();
    }
}
