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
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before a server on loopback and breaks some of its connections. */
public final class FaultyGate implements AutoCloseable {
    private static final int RESET_AFTER_BYTES = 300_000;

    private final ServerSocket listener;
    private final int target;
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicInteger resets = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

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

    /** How many faults are still to come. */
    public int faultsLeft() {
        return busy.get() + resets.get();
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
            if (take(busy)) {
                client.getInputStream().read(new byte[8_192]);
                client.getOutputStream()
                        .write(
                                "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
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

    private void copy(Socket from, Socket to, boolean breakable) {
        byte[] buffer = new byte[16_384];
        long passed = 0;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                passed += read;
                if (breakable && passed > RESET_AFTER_BYTES && take(resets)) {
                    from.setSoLinger(true, 0);
                    from.close();
                    to.close();
                    return;
                }
            }
        } catch (IOException _) {
            // The other direction ends it.
        }
    }

    private static boolean take(AtomicInteger left) {
        return left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
