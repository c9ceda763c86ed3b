package touchline.benchmarks.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy before one port of a member of a network. While the partition cuts the member off
 * from the caller, no byte passes in either direction, as if all packets were lost: connections
 * stay open, new ones seem to be accepted, and what was sent meanwhile arrives when the partition
 * is over. Any thread.
 */
final class FaultyLink implements AutoCloseable {
    private static final int BACKLOG = 200;
    private static final int BUFFER_BYTES = 64 << 10;

    private final Ends ends;
    private final Partition partition;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final int port;

    /** Null while it refuses. */
    @GuardedBy("this")
    private @Nullable Listener listener;

    /** The port is closed when the thread that accepts has ended. */
    private record Listener(ServerSocket socket, Thread thread) {}

    /** Names the caller of each connection. */
    interface Caller {
        /** The name of a member, or anything else for a stranger. */
        String name(Socket accepted) throws IOException;

        /** From where its connections go on to the member. */
        InetAddress source(String name);
    }

    /**
     * Both ends.
     *
     * @param member behind the proxy
     * @param address of the proxy; port 0: any
     * @param target the port of the member
     */
    record Ends(
            String member, InetSocketAddress address, InetSocketAddress target, Caller caller) {}

    /** Starts it; the caller closes it. */
    FaultyLink(Ends ends, Partition partition) throws IOException {
        this.ends = ends;
        this.partition = partition;
        ServerSocket first = listen(ends.address().getPort());
        port = first.getLocalPort();
        begin(first);
    }

    private ServerSocket listen(int onPort) throws IOException {
        return new ServerSocket(onPort, BACKLOG, ends.address().getAddress());
    }

    private synchronized void begin(ServerSocket accepting) {
        listener =
                new Listener(
                        accepting,
                        Thread.ofVirtual()
                                .name("link-" + ends.member())
                                .start(() -> accept(accepting)));
    }

    int port() {
        return port;
    }

    /** Connections are refused from now on, as by the system of a process that has ended. */
    synchronized void refuse() {
        Listener now = listener;
        listener = null;
        if (now == null) {
            return;
        }
        close(now.socket());
        try {
            now.thread().join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Accepts connections again, after {@link #refuse} or {@link #stop}. */
    synchronized void acceptAgain() {
        if (listener == null) {
            try {
                begin(listen(port));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The same, and open connections end: the member has ended. */
    void stop() {
        refuse();
        open.forEach(FaultyLink::close);
    }

    private void accept(ServerSocket accepting) {
        while (!accepting.isClosed()) {
            try {
                Socket client = accepting.accept();
                open.add(client);
                Thread.ofVirtual().name("link-" + ends.member()).start(() -> serve(client));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket server = new Socket()) {
            open.add(server);
            String caller = ends.caller().name(client);
            partition.awaitWhole(caller, ends.member());
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.bind(new InetSocketAddress(ends.caller().source(caller), 0));
            server.connect(ends.target());
            Thread back = Thread.ofVirtual().start(() -> pump(server, client, caller));
            pump(client, server, caller);
            back.join();
            open.remove(server);
        } catch (IOException _) {
            // The member does not listen: the client's connection ends.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(client);
        }
    }

    /** Until the end of what one sends; a connection that breaks breaks for both. */
    private void pump(Socket from, Socket to, String caller) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream input = from.getInputStream();
            OutputStream output = to.getOutputStream();
            int read = input.read(buffer);
            while (read >= 0) {
                partition.awaitWhole(caller, ends.member());
                output.write(buffer, 0, read);
                read = input.read(buffer);
            }
            partition.awaitWhole(caller, ends.member());
            to.shutdownOutput();
        } catch (IOException _) {
            close(from);
            close(to);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception _) {
            // It is closed all the same.
        }
    }

    @Override
    public void close() {
        stop();
    }
}
