package touchline.overlay.relay;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.worker.EmptyNetwork;

/**
 * Receives the connections that a browser makes in an {@link EmptyNetwork}, and carries each to the
 * proxy of its page, which listens on 127.0.0.1 of the server. The browser's process passes the
 * listening socket over a Unix socket before it becomes the browser. Any thread; one event loop
 * carries all bytes.
 */
public final class NamespaceRelay implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NamespaceRelay.class);
    private static final Duration PASSING = Duration.ofSeconds(30);
    private static final long CLOSE_MS = 1_000;

    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(
                    1,
                    new DefaultThreadFactory("page-relay", /* daemon= */ true),
                    EpollIoHandler.newFactory());
    private final RelayedPorts ports = new RelayedPorts();
    private final CompletableFuture<Channel> listener = new CompletableFuture<>();
    private final Channel unix;

    /** The only process whose listening socket is taken; written before one is accepted. */
    private volatile long pid = -1;

    private NamespaceRelay(Path socket) throws IOException {
        ChannelFuture bound = bind(socket).awaitUninterruptibly();
        unix = bound.channel();
        if (!bound.isSuccess()) {
            close();
            throw new IOException("no socket " + socket, bound.cause());
        }
    }

    /** Whether this host has what a relay needs. */
    public static boolean available() {
        return EmptyNetwork.supported() && Epoll.isAvailable();
    }

    /**
     * The caller closes the relay.
     *
     * @param socket path of a Unix socket that does not exist yet, in a folder that the server
     *     owns, and that only the server and the browser's user will be able to enter
     */
    public static NamespaceRelay open(Path socket) throws IOException {
        NamespaceRelay relay = new NamespaceRelay(socket);
        try {
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
            return relay;
        } catch (IOException e) {
            relay.close();
            throw e;
        }
    }

    /**
     * Waits until a process has passed its listening socket.
     *
     * @throws IOException it ended, took too long, or passed something else
     */
    public void awaitListener(ProcessHandle process) throws IOException, InterruptedException {
        pid = process.pid();
        unix.config().setAutoRead(true);
        try {
            CompletableFuture.anyOf(listener, process.onExit())
                    .get(PASSING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("it had none within " + PASSING.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException("its listening socket is not usable", e);
        }
        if (!listener.isDone()) {
            throw new IOException("it ended before it had one");
        }
        ChannelFuture _ = unix.close();
    }

    /**
     * Carries connections to a proxy until {@link #withdraw}.
     *
     * @param proxyPort of 127.0.0.1 in the server's network
     * @param connections limit of connections at a time; further ones are closed
     * @return the proxy's address for the browser, {@code host:port}
     */
    public String admit(int proxyPort, int connections) {
        return ports.admit(proxyPort, connections) + ":" + EmptyNetwork.PORT;
    }

    /** Ends the connections to a proxy, and carries no further ones. */
    public void withdraw(int proxyPort) {
        ports.withdraw(proxyPort);
    }

    /** Ends all connections. */
    @Override
    public void close() {
        // Closes the channels of the loop.
        boolean _ =
                loop.shutdownGracefully(0, CLOSE_MS, TimeUnit.MILLISECONDS)
                        .awaitUninterruptibly(CLOSE_MS);
    }

    /** Accepts when the process is known; until then it waits in the kernel's queue. */
    private ChannelFuture bind(Path socket) {
        return new ServerBootstrap()
                .group(loop)
                .channel(EpollServerDomainSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(
                        UnixChannelOption.DOMAIN_SOCKET_READ_MODE,
                        DomainSocketReadMode.FILE_DESCRIPTORS)
                .childHandler(
                        new ChannelInitializer<EpollDomainSocketChannel>() {
                            @Override
                            protected void initChannel(EpollDomainSocketChannel channel)
                                    throws IOException {
                                if (channel.peerCredentials().pid() == pid) {
                                    channel.pipeline()
                                            .addLast(new Handover(NamespaceRelay.this::listen));
                                } else {
                                    log.warn("a process other than the browser connected");
                                    ChannelFuture _ = channel.close();
                                }
                            }
                        })
                .bind(new DomainSocketAddress(socket.toFile()));
    }

    /** Takes ownership of the descriptor of a listening socket. Event loop. */
    private void listen(FileDescriptor socket) {
        ChannelFuture registered =
                new ServerBootstrap()
                        .group(loop)
                        .channelFactory(() -> new EpollServerSocketChannel(socket.intValue()))
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        // Until the proxy is connected.
                        .childOption(ChannelOption.AUTO_READ, false)
                        .childHandler(new RelayedConnection(ports))
                        .register();
        ChannelFuture _ =
                registered.addListener(
                        done -> {
                            if (done.isSuccess()) {
                                listener.complete(registered.channel());
                            } else {
                                listener.completeExceptionally(done.cause());
                            }
                        });
    }
}
