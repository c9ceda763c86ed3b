package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import touchline.benchmarks.load.HttpConnection;

/**
 * Ten thousand viewers on kept-alive connections with one selector, so that they cost little beside
 * the server. Owned by one thread.
 */
final class WaiterPool implements AutoCloseable {
    private static final int HEAD_BYTES = 2048;

    /** One viewer and the missing bytes of its answer. */
    private static final class Waiter {
        private static final int IDLE = -2;
        private static final int IN_HEAD = -1;

        private final SocketChannel channel;
        private final StringBuilder head = new StringBuilder(0);
        private int restBytes = IDLE;

        private Waiter(SocketChannel channel) {
            this.channel = channel;
        }
    }

    private final Selector selector;
    private final List<Waiter> waiters = new ArrayList<>();
    private final ByteBuffer input = ByteBuffer.allocateDirect(1 << 17);

    private int failed;
    private String failure = "an answer was too late";

    private WaiterPool(Selector selector) {
        this.selector = selector;
    }

    /** The caller closes the pool and so all connections. */
    static WaiterPool connect(URI address, int count) throws IOException {
        WaiterPool pool = new WaiterPool(Selector.open());
        try {
            var server = new InetSocketAddress(address.getHost(), address.getPort());
            for (int i = 0; i < count; i++) {
                SocketChannel channel = SocketChannel.open(server);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.configureBlocking(false);
                Waiter waiter = new Waiter(channel);
                channel.register(pool.selector, SelectionKey.OP_READ, waiter);
                pool.waiters.add(waiter);
            }
            return pool;
        } catch (IOException e) {
            pool.close();
            throw new IOException("connection " + pool.waiters.size() + ": " + e.getMessage(), e);
        }
    }

    /** Answers other than 200, closed connections, and late answers. */
    int failed() {
        return failed;
    }

    /** Why the last of these failed. */
    String failure() {
        return failure;
    }

    /** Sends a request on every connection; earlier answers are complete. */
    void request(URI address) throws IOException {
        requestOfSome(address, 1);
    }

    /**
     * The same on some of the connections.
     *
     * @param every 1 for all, 10 for every tenth
     */
    void requestOfSome(URI address, int every) throws IOException {
        ByteBuffer bytes = HttpConnection.request(address);
        for (int i = 0; i < waiters.size(); i += every) {
            Waiter waiter = waiters.get(i);
            // A request fits into the empty buffer of a socket.
            if (waiter.channel.isOpen()) {
                waiter.channel.write(bytes.duplicate());
                waiter.head.setLength(0);
                waiter.restBytes = Waiter.IN_HEAD;
            }
        }
    }

    /** Reads all answers and returns the {@link System#nanoTime} of each last byte. */
    long[] answers(Duration atMost) throws IOException {
        long deadlineNs = System.nanoTime() + atMost.toNanos();
        long[] doneNs = new long[waiters.size()];
        int[] done = {0};
        int failedBefore = failed;
        int outstanding = (int) waiters.stream().filter(w -> w.restBytes == Waiter.IN_HEAD).count();
        while (done[0] + failed - failedBefore < outstanding && System.nanoTime() < deadlineNs) {
            selector.select(
                    key -> {
                        if (read((Waiter) key.attachment())) {
                            doneNs[done[0]++] = System.nanoTime();
                        }
                    },
                    /* timeout= */ 100);
        }
        failed = failedBefore + outstanding - done[0];
        return Arrays.copyOf(doneNs, done[0]);
    }

    /** Whether the answer is complete. */
    private boolean read(Waiter waiter) {
        try {
            input.clear();
            int count = waiter.channel.read(input);
            if (count < 0) {
                throw new IOException("the server closed the connection");
            }
            input.flip();
            if (waiter.restBytes == Waiter.IN_HEAD) {
                readHead(waiter);
            }
            if (waiter.restBytes >= 0) {
                waiter.restBytes -= input.remaining();
                if (waiter.restBytes <= 0) {
                    waiter.restBytes = Waiter.IDLE;
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            failure = String.valueOf(e.getMessage());
            failed += waiter.restBytes == Waiter.IDLE ? 0 : 1;
            waiter.restBytes = Waiter.IDLE;
            close(waiter);
            return false;
        }
    }

    private void readHead(Waiter waiter) throws IOException {
        byte[] start = new byte[Math.min(HEAD_BYTES, input.remaining())];
        input.get(input.position(), start);
        waiter.head.append(new String(start, StandardCharsets.ISO_8859_1));
        int before = waiter.head.length() - start.length;
        int end = waiter.head.indexOf("\r\n\r\n");
        if (end < 0) {
            input.position(input.limit());
            return;
        }
        String head = waiter.head.substring(0, end + 4);
        if (!head.startsWith("HTTP/1.1 200")) {
            throw new IOException("answered " + head.lines().findFirst().orElse(""));
        }
        input.position(input.position() + head.length() - before);
        waiter.restBytes = (int) HttpConnection.contentLength(head);
    }

    private static void close(Waiter waiter) {
        try {
            waiter.channel.close();
        } catch (IOException _) {
            // The connection is closed in any case.
        }
    }

    @Override
    public void close() throws IOException {
        waiters.forEach(WaiterPool::close);
        selector.close();
    }
}
