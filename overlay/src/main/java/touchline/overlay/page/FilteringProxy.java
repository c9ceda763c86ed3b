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
 * The only way out of the browser for one page: an HTTP proxy on loopback that resolves and checks
 * every host itself, limits how much goes through it, and answers for sites inside this process.
 * One virtual thread for each connection and direction. Any thread.
 */
final class FilteringProxy implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FilteringProxy.class);
    private static final int BACKLOG = 128;
    private static final int MAX_PROBLEMS = 64;

    /** Before accepting again where it failed, as without file descriptors it does at once. */
    private static final long ACCEPT_PAUSE_NS = 100_000_000;

    /**
     * What the proxy goes by.
     *
     * @param rules which addresses may be reached
     * @param sites answered for from here, by host name; no rule applies to them
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
        this.connections = new Semaphore(limits.connections());
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

    /** Called, on a thread of the proxy, whenever more than the limit was to pass. */
    void onExceeded(Runnable action) {
        onExceeded.set(action);
    }

    /** Why a host was last not reached; empty where it was, or was not asked for. */
    Optional<String> problem(String host) {
        lock.lock();
        try {
            return Optional.ofNullable(problems.get(host));
        } finally {
            lock.unlock();
        }
    }

    /** Ends every connection. */
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

    /** Closed together with the proxy until it is {@link #unregister}. */
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
     * A connection to the target, {@link #register}.
     *
     * @throws ProxyRefusal it may not be, or cannot be reached; noted as the host's problem
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

    /** Whether so many bytes may pass; if not, whoever asked ends its connection. */
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
