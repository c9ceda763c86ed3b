package touchline.overlay.page;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import touchline.media.net.AddressRules;

/**
 * Connects pages to permitted hosts. Resolves a name once, checks all of its addresses, and
 * connects to exactly one of them, against DNS rebinding. One refused address refuses the name. Any
 * thread; calls block.
 */
final class Outbound implements AutoCloseable {
    private static final int LOOKUPS_AT_ONCE = 4;
    private static final int LOOKUP_SECONDS = 10;
    private static final int CONNECT_MS = 10_000;

    private final AddressRules rules;
    private final HostLookup lookup;

    /**
     * Native lookups pin their thread: slow names of one page must not exhaust the carriers of all
     * virtual threads.
     */
    private final ExecutorService lookups =
            Executors.newFixedThreadPool(
                    LOOKUPS_AT_ONCE,
                    Thread.ofPlatform().daemon().name("page-lookup-", 0).factory());

    Outbound(AddressRules rules, HostLookup lookup) {
        this.rules = rules;
        this.lookup = lookup;
    }

    /**
     * Connects; the caller closes the socket.
     *
     * @throws ProxyRefusal not permitted or not reachable
     */
    Socket connect(HostPort target) throws IOException {
        List<InetAddress> addresses = addresses(target.host());
        for (InetAddress address : addresses) {
            if (!rules.permits(address)) {
                throw new ProxyRefusal(
                        403, target.host() + " is refused by the egress rules (egress.allow)");
            }
        }
        IOException failure = new IOException("no address");
        for (InetAddress address : addresses) {
            Socket socket = new Socket();
            try {
                socket.setTcpNoDelay(true);
                // No read time-out: a scoreboard's WebSocket may be idle for a whole half.
                socket.setKeepAlive(true);
                socket.connect(new InetSocketAddress(address, target.port()), CONNECT_MS);
                return socket;
            } catch (IOException e) {
                socket.close();
                failure = e;
            }
        }
        throw new ProxyRefusal(502, "%s: %s".formatted(target, failure.getMessage()));
    }

    @Override
    public void close() {
        lookups.shutdownNow();
    }

    private List<InetAddress> addresses(String host) throws IOException {
        Optional<InetAddress> literal = AddressRules.literal(host);
        if (literal.isPresent()) {
            return List.of(literal.get());
        }
        Future<List<InetAddress>> result = lookups.submit(() -> lookup.lookUp(host));
        try {
            return result.get(LOOKUP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            String what = cause instanceof UnknownHostException ? "does not resolve" : "" + cause;
            throw new ProxyRefusal(502, host + " " + what);
        } catch (TimeoutException _) {
            result.cancel(true);
            throw new ProxyRefusal(504, host + " does not resolve in time");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ProxyRefusal(503, "the proxy is closing");
        }
    }
}
