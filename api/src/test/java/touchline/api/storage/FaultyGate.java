package touchline.api.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before a server on loopback and breaks some of its connections. */
public final class FaultyGate implements AutoCloseable {
    private static final int BUFFER_BYTES = 16_384;

    private static final String BUSY =
            "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

    private final ServerSocket listener;
    private final int target;
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicInteger resets = new AtomicInteger();
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger stalls = new AtomicInteger();
    private final CountDownLatch stalled = new CountDownLatch(1);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** The reply to every request; empty: passed through. Read by the threads of connections. */
    private volatile String refusal = "";

    /** A connection carries much with more. Read by the threads of connections. */
    private volatile int breakAfterBytes = 300_000;

    /** Rate of each connection; 0: full speed. Read by the threads of connections. */
    private volatile int bytesPerSecond;

    public FaultyGate(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** The next connections are answered 503. */
    public void answerBusy(int connections) {
        busy.set(connections);
    }

    /** The next connections that carry much are reset in the middle. */
    public void resetInTheMiddle(int connections) {
        resets.set(connections);
    }

    /** Sets what a connection must have carried to be broken in the middle. */
    public void breakAfter(int bytes) {
        breakAfterBytes = bytes;
    }

    /** The next answers that carry much end in the middle. */
    public void cutAnswers(int connections) {
        cuts.set(connections);
    }

    /** The next connections that carry much are not read any further, and stay open. */
    public void stallInTheMiddle(int connections) {
        stalls.set(connections);
    }

    /** Sets the forwarding rate of each connection. */
    public void slowDown(int newBytesPerSecond) {
        bytesPerSecond = newBytesPerSecond;
    }

    /**
     * Sets the reply to every request, and closes open connections.
     *
     * @param code of S3, such as AccessDenied
     */
    public void refuseAll(int status, String code) throws IOException {
        String body = "<Error><Code>" + code + "</Code><Message>no</Message></Error>";
        refusal =
                "HTTP/1.1 %d No\r\nContent-Type: application/xml\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                        .formatted(status, body.length(), body);
        cutOff();
    }

    /** Requests pass again, after {@link #refuseAll}. */
    public void acceptAll() {
        refusal = "";
    }

    private void cutOff() throws IOException {
        for (Socket each : open) {
            each.close();
        }
    }

    /** How many faults are still to come. */
    public int faultsLeft() {
        return busy.get() + resets.get() + cuts.get() + stalls.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            String reply = take(busy) ? BUSY : refusal;
            if (!reply.isEmpty()) {
                refuse(client, reply);
                return;
            }
            try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
                Thread back =
                        Thread.ofVirtual()
                                .start(() -> copy(server, client, /* breakable= */ false));
                copy(client, server, /* breakable= */ true);
                server.shutdownOutput();
                back.join();
            }
        } catch (IOException | InterruptedException _) {
            // The peer went: so does this end.
        } finally {
            open.remove(client);
        }
    }

    /** Reads all input, so that a reset does not discard the reply. */
    private static void refuse(Socket client, String reply) throws IOException {
        client.getInputStream().read(new byte[BUFFER_BYTES]);
        client.getOutputStream().write(reply.getBytes(StandardCharsets.US_ASCII));
        client.shutdownOutput();
        client.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    private void copy(Socket from, Socket to, boolean breakable) {
        byte[] buffer = new byte[BUFFER_BYTES];
        long passed = 0;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                passed += read;
                if (!breakable && passed > breakAfterBytes && take(cuts)) {
                    from.close();
                    to.close();
                    return;
                }
                if (breakable) {
                    hold(read);
                }
                if (breakable && passed > breakAfterBytes && take(stalls)) {
                    stalled.await();
                }
                if (breakable && passed > breakAfterBytes && take(resets)) {
                    from.setSoLinger(true, 0);
                    from.close();
                    to.close();
                    return;
                }
            }
        } catch (IOException | InterruptedException _) {
            // The other direction ends it.
        }
    }

    private void hold(int bytes) throws InterruptedException {
        int rate = bytesPerSecond;
        if (rate > 0) {
            TimeUnit.NANOSECONDS.sleep(TimeUnit.SECONDS.toNanos(bytes) / rate);
        }
    }

    private static boolean take(AtomicInteger left) {
        return left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        stalled.countDown();
        cutOff();
    }
}
