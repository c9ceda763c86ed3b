package touchline.benchmarks.delivery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The minimum cost of blocked reloads: one thread reads requests without parsing them, and writes
 * the same bytes to all connections after the last request. Its CPU time is that of the kernel, the
 * lower limit for a server with a system call per request and per answer.
 */
final class BareAnswers implements AutoCloseable {
    private final Selector selector;
    private final ServerSocketChannel listener;
    private final ByteBuffer answer;
    private final int waiters;
    private final Thread thread;
    private volatile boolean ends;

    private BareAnswers(
            Selector selector, ServerSocketChannel listener, ByteBuffer answer, int waiters) {
        this.selector = selector;
        this.listener = listener;
        this.answer = answer;
        this.waiters = waiters;
        this.thread = Thread.ofPlatform().name("bench-bare-answers").unstarted(this::run);
    }

    /**
     * Listens on loopback; the caller closes it.
     *
     * @param body is sent after a head of the usual length
     * @param waiters number of requests to wait for before all answers are sent
     */
    static BareAnswers start(ByteBuffer body, int waiters) throws IOException {
        byte[] head =
                "HTTP/1.1 200 OK\r\ncontent-length: %d\r\nx-padding: %s\r\n\r\n"
                        .formatted(body.remaining(), "x".repeat(450))
                        .getBytes(StandardCharsets.US_ASCII);
        ByteBuffer answer = ByteBuffer.allocateDirect(head.length + body.remaining());
        answer.put(head).put(body.duplicate()).flip();
        ServerSocketChannel listener =
                ServerSocketChannel.open()
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), waiters);
        listener.configureBlocking(false);
        Selector selector = Selector.open();
        listener.register(selector, SelectionKey.OP_ACCEPT);
        BareAnswers answers = new BareAnswers(selector, listener, answer, waiters);
        answers.thread.start();
        return answers;
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + listener.socket().getLocalPort() + "/bare");
    }

    double cpuSeconds() {
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId()) / 1e9;
    }

    private void run() {
        ByteBuffer input = ByteBuffer.allocateDirect(4096);
        List<SocketChannel> waiting = new ArrayList<>(waiters);
        try {
            while (!ends) {
                selector.select(key -> ready(key, input, waiting));
                if (waiting.size() == waiters) {
                    for (SocketChannel viewer : waiting) {
                        viewer.write(answer.duplicate());
                    }
                    waiting.clear();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ready(SelectionKey key, ByteBuffer input, List<SocketChannel> waiting) {
        try {
            if (key.isAcceptable()) {
                SocketChannel viewer = listener.accept();
                viewer.configureBlocking(false);
                viewer.setOption(StandardSocketOptions.TCP_NODELAY, true);
                viewer.register(selector, SelectionKey.OP_READ);
            } else if (key.channel() instanceof SocketChannel viewer) {
                input.clear();
                if (viewer.read(input) > 0) {
                    waiting.add(viewer);
                } else {
                    viewer.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the listener and all open connections. */
    @Override
    public void close() throws IOException {
        ends = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
