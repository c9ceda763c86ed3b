package touchline.media.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers under test. They lie below the range from which the kernel takes ports for
 * clients, and each JVM counts from another start, so that no other test takes a port between its
 * choice and its use.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;

    /** A prime; JVMs that start one after the other get ranges that are far apart. */
    private static final int APART = 977;

    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * APART % COUNT));

    private FreePorts() {}

    /** A port that is free now and that this JVM has not returned before. */
    public static int next() throws IOException {
        IOException last = new IOException("no port was tried");
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            try (ServerSocket socket =
                    new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }
}
