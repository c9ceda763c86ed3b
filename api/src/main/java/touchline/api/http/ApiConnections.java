package touchline.api.http;

import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http.ServerRequest;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.net.ConnectionLimits;

/**
 * Open connections of the control API: counts them at accept, in total and by address, and closes
 * those behind a deadline. One thread checks all of them twice a second. Any thread.
 */
final class ApiConnections implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ApiConnections.class);
    private static final long CHECK_MS = 500;

    /** The two ends of a connection. */
    private record Ends(SocketAddress remote, SocketAddress local) {}

    private record Entry(ApiConnection connection, InetAddress address) {}

    private final ConnectionLimits limits;
    private final ApiDeadlines deadlines;
    private final Map<Ends, Entry> open = new ConcurrentHashMap<>();

    /** Closed, while one of their threads still has a deadline. */
    private final Map<ApiConnection, Boolean> closed = new ConcurrentHashMap<>();

    private volatile @Nullable ScheduledExecutorService checks;
    private final Counter refused;
    private final Counter late;

    ApiConnections(ConnectionLimits limits, ApiDeadlines deadlines, MeterRegistry registry) {
        this.limits = limits;
        this.deadlines = deadlines;
        Gauge.builder("touchline.http.connections", limits, ConnectionLimits::open)
                .description("Open connections of the control API")
                .register(registry);
        this.refused =
                Counter.builder("touchline.http.connections.refused")
                        .description("Connections of the control API above a limit")
                        .register(registry);
        this.late =
                Counter.builder("touchline.http.connections.late")
                        .description(
                                "Connections of the control API closed at a deadline, or before it"
                                        + " for a newer one")
                        .register(registry);
    }

    /** Begins to check deadlines. */
    void start() {
        ScheduledExecutorService executor =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("api-deadlines").factory());
        var _ =
                executor.scheduleWithFixedDelay(
                        this::check, CHECK_MS, CHECK_MS, TimeUnit.MILLISECONDS);
        checks = executor;
    }

    /**
     * Counts a connection that was accepted.
     *
     * @throws IllegalStateException above a limit: the caller closes it
     */
    void accepted(AcceptedSocket socket) {
        InetAddress address =
                socket.remote() instanceof InetSocketAddress peer
                        ? peer.getAddress()
                        : InetAddress.getLoopbackAddress();
        ConnectionLimits.Admission admission = limits.tryOpen(address);
        if (admission == ConnectionLimits.Admission.LIMIT && closeLongestWaiting()) {
            admission = limits.tryOpen(address);
        }
        if (admission != ConnectionLimits.Admission.OPENED) {
            refused.increment();
            throw new IllegalStateException("too many connections");
        }
        Entry before =
                open.put(
                        new Ends(socket.remote(), socket.local()),
                        new Entry(new ApiConnection(socket, deadlines), address));
        if (before != null) {
            release(before);
        }
    }

    /**
     * Closes the connection that waits for its client and is nearest its deadline. Each connection
     * holds memory, above all with TLS, so the newest ones must not be the ones that are refused.
     */
    private boolean closeLongestWaiting() {
        Map.Entry<Ends, Entry> longest = null;
        long now = System.nanoTime();
        long least = Long.MAX_VALUE;
        for (Map.Entry<Ends, Entry> each : open.entrySet()) {
            long remaining = each.getValue().connection().waitsForNs(now);
            if (remaining < least) {
                least = remaining;
                longest = each;
            }
        }
        if (longest == null || !open.remove(longest.getKey(), longest.getValue())) {
            return false;
        }
        late.increment();
        longest.getValue().connection().closeNow();
        release(longest.getValue());
        return true;
    }

    ApiConnection of(ConnectionContext context) {
        return of(context.remotePeer(), context.localPeer());
    }

    ApiConnection of(ServerRequest request) {
        try {
            return of(request.remotePeer(), request.localPeer());
        } catch (UncheckedIOException _) {
            // The client has disconnected meanwhile.
            return ApiConnection.detached();
        }
    }

    /** The connection of an accepted socket. */
    ApiConnection of(AcceptedSocket socket) {
        return of(new Ends(socket.remote(), socket.local()));
    }

    private ApiConnection of(PeerInfo remote, PeerInfo local) {
        return of(new Ends(remote.address(), local.address()));
    }

    private ApiConnection of(Ends ends) {
        Entry entry = open.get(ends);
        return entry == null ? ApiConnection.detached() : entry.connection();
    }

    /** The thread of a connection has ended. */
    void ended(ApiConnection connection) {
        connection.end();
        connection
                .socket()
                .map(socket -> new Ends(socket.remote(), socket.local()))
                .ifPresent(
                        ends -> {
                            Entry entry = open.get(ends);
                            if (entry != null
                                    && entry.connection().equals(connection)
                                    && open.remove(ends, entry)) {
                                release(entry);
                            }
                        });
    }

    private void check() {
        try {
            long now = System.nanoTime();
            open.forEach(
                    (ends, entry) -> {
                        if (entry.connection().closeIfLate(now)) {
                            late.increment();
                            log.debug("closed a connection of {} at a deadline", entry.address());
                        }
                        if (entry.connection().isClosed() && open.remove(ends, entry)) {
                            release(entry);
                        }
                    });
            closed.keySet().forEach(connection -> connection.closeIfLate(now));
            closed.keySet().removeIf(ApiConnection::isOver);
        } catch (RuntimeException e) {
            log.error("deadlines of connections could not be checked", e);
        }
    }

    private void release(Entry entry) {
        limits.close(entry.address());
        if (!entry.connection().isOver()) {
            closed.put(entry.connection(), Boolean.TRUE);
        }
    }

    @Override
    public void close() {
        ScheduledExecutorService executor = checks;
        if (executor != null) {
            executor.shutdownNow();
        }
    }
}
