package touchline.overlay.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.PageLimits;
import touchline.media.net.AddressRules;

/**
 * The only network access of one page: an HTTP proxy on loopback. It resolves and checks every host
 * itself, limits bytes and connections, and serves sites inside this process. One virtual thread
 * per connection and direction. Any thread.
 */
final class FilteringProxy implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FilteringProxy.class);
    private static final int BACKLOG = 128;
    private static final int MAX_PROBLEMS = 64;

    /** Pause after a failed accept: without file descriptors it fails at once again. */
    private static final long ACCEPT_PAUSE_NS = 100_000_000;

    /**
     * Dependencies of a proxy.
     *
     * @param rules permitted addresses
     * @param sites internal sites by host name; exempt from the rules
     */
    record Dependencies(AddressRules rules, HostLookup lookup, Map<String, InternalSite> sites) {
        Dependencies {
            sites = Map.copyOf(sites);
        }
    }

    private final String streamId;
    private final Dependencies dependencies;
    private final Outbound outbound;
    private final ByteBudget budget;
    private final int maxConnections;
    private final Semaphore connections;
    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Runnable> onExceeded = new AtomicReference<>(() -> {});
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, String> problems = new LinkedHashMap<>();

    private FilteringProxy(
            String streamId, Dependencies dependencies, PageLimits limits, ServerSocket server) {
        this.streamId = streamId;
        this.dependencies = dependencies;
        this.outbound = new Outbound(dependencies.rules(), dependencies.lookup());
        this.budget = new ByteBudget(limits.bytesPerMinute(), System::nanoTime);
        this.maxConnections = limits.connections();
        this.connections = new Semaphore(maxConnections);
        this.server = server;
    }

    /** Listens on a free port of 127.0.0.1; the caller closes it. */
    static FilteringProxy open(String streamId, Dependencies dependencies, PageLimits limits)
            throws IOException {
        ServerSocket server = new ServerSocket();
        try {
            InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            server.bind(new InetSocketAddress(loopback, 0), BACKLOG);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        FilteringProxy proxy = new FilteringProxy(streamId, dependencies, limits, server);
        Thread.ofVirtual().name("page-proxy-" + streamId).start(proxy::accept);
        return proxy;
    }

    int port() {
        return server.getLocalPort();
    }

    /** Limit of connections at a time. */
    int maxConnections() {
        return maxConnections;
    }

    /** Sets the action that a proxy thread runs when the byte limit is exceeded. */
    void onExceeded(Runnable action) {
        onExceeded.set(action);
    }

    /** Why the last connection to a host failed; empty if it succeeded or there was none. */
    Optional<String> problem(String host) {
        lock.lock();
        try {
            return Optional.ofNullable(problems.get(host));
        } finally {
            lock.unlock();
        }
    }

    /** Closes every connection. */
    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
        outbound.close();
    }

    private void accept() {
        while (true) {
            try {
                Socket client = server.accept();
                if (!connections.tryAcquire()) {
                    client.close();
                    continue;
                }
                Thread.ofVirtual().name("page-connection-" + streamId).start(() -> serve(client));
            } catch (IOException e) {
                if (server.isClosed()) {
                    return;
                }
                log.warn("stream={} the page's proxy: {}", streamId, e.toString());
                LockSupport.parkNanos(ACCEPT_PAUSE_NS);
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            register(client);
            new ProxyConnection(this, client).serve();
        } catch (IOException e) {
            log.debug("stream={} page connection: {}", streamId, e.getMessage());
        } finally {
            unregister(client);
            connections.release();
        }
    }

    /** Closes the socket together with the proxy, until {@link #unregister}. */
    void register(Socket socket) throws IOException {
        open.add(socket);
        if (server.isClosed()) {
            socket.close();
        }
    }

    void unregister(Socket socket) {
        open.remove(socket);
    }

    String streamId() {
        return streamId;
    }

    Optional<InternalSite> site(HostPort target) {
        return target.port() == 80
                ? Optional.ofNullable(dependencies.sites().get(target.host()))
                : Optional.empty();
    }

    /**
     * Connects to the target; the socket is registered.
     *
     * @throws ProxyRefusal not permitted or not reachable; stored as the host's problem
     */
    Socket connect(HostPort target) throws IOException {
        try {
            Socket socket = outbound.connect(target);
            register(socket);
            note(target.host(), Optional.empty());
            return socket;
        } catch (ProxyRefusal e) {
            note(target.host(), Optional.of(String.valueOf(e.getMessage())));
            throw e;
        }
    }

    /** Counts bytes; on false the caller closes its connection. */
    boolean spend(int bytes) {
        if (budget.spend(bytes)) {
            return true;
        }
        onExceeded.get().run();
        return false;
    }

    private void note(String host, Optional<String> problem) {
        lock.lock();
        try {
            problems.remove(host);
            if (problem.isPresent()) {
                problems.put(host, problem.get());
            }
            if (problems.size() > MAX_PROBLEMS) {
                problems.remove(problems.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }
}
