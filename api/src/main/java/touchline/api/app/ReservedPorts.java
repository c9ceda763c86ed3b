package touchline.api.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import touchline.config.ApiConfig;
import touchline.config.PlaybackConfig;
import touchline.config.PublicConfig;
import touchline.config.RtmpConfig;
import touchline.config.ServerConfig;
import touchline.config.TlsConfig;

/**
 * A configuration with free ports in place of port 0. The addresses for clients then carry the
 * ports of the listeners. The ports stay reserved until {@link #release}, shortly before the
 * listeners bind them. Used by the thread that starts the server.
 */
final class ReservedPorts implements AutoCloseable {
    private final List<ServerSocket> held = new ArrayList<>();
    private final ServerConfig config;

    /**
     * @throws UncheckedIOException where a host has no free port
     */
    ReservedPorts(ServerConfig configured) {
        try {
            this.config = withPorts(configured);
        } catch (IOException e) {
            release();
            throw new UncheckedIOException(e);
        }
    }

    ServerConfig config() {
        return config;
    }

    private ServerConfig withPorts(ServerConfig from) throws IOException {
        ApiConfig api = api(from.api());
        PlaybackConfig playback = playback(from.playback());
        RtmpConfig rtmp = rtmp(from.rtmp());
        TlsConfig tls = tls(from.tls(), rtmp.host());
        PublicConfig urls =
                from.publicUrls()
                        .withBoundPorts(
                                api.port(), playback.port(), tls.rtmpsPort().orElse(rtmp.port()));
        return new ServerConfig(
                from.dataDir(),
                api,
                playback,
                rtmp,
                tls,
                urls,
                from.auth(),
                from.db(),
                from.egress(),
                from.http(),
                from.storage(),
                from.packager(),
                from.media(),
                from.overlay(),
                from.moderation(),
                from.encoder(),
                from.jobs(),
                from.events(),
                from.transcoding());
    }

    private ApiConfig api(ApiConfig from) throws IOException {
        return new ApiConfig(
                from.host(),
                port(from.host(), from.port()),
                from.maxBodyBytes(),
                from.maxConnectionsPerAddress(),
                from.observeNeedsToken());
    }

    private PlaybackConfig playback(PlaybackConfig from) throws IOException {
        return new PlaybackConfig(
                from.host(),
                port(from.host(), from.port()),
                from.maxConnections(),
                from.maxConnectionsPerAddress(),
                from.idleTimeout(),
                from.headerTimeout(),
                from.thumbnailCpuPercent(),
                from.thumbnailCacheBytes());
    }

    private RtmpConfig rtmp(RtmpConfig from) throws IOException {
        return new RtmpConfig(
                from.host(),
                port(from.host(), from.port()),
                from.maxMessageBytes(),
                from.maxConnections(),
                from.maxConnectionsPerAddress(),
                from.handshakeTimeout(),
                from.publishTimeout(),
                from.idleTimeout(),
                from.completeHold());
    }

    private TlsConfig tls(TlsConfig from, String host) throws IOException {
        return from.rtmpsPort().isEmpty()
                ? from
                : new TlsConfig(
                        OptionalInt.of(port(host, from.rtmpsPort().getAsInt())),
                        from.cert(),
                        from.key());
    }

    private int port(String host, int configured) throws IOException {
        if (configured != 0) {
            return configured;
        }
        ServerSocket socket = new ServerSocket();
        held.add(socket);
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(host, 0));
        return socket.getLocalPort();
    }

    @Override
    public void close() {
        release();
    }

    /** Frees the ports for the listeners. */
    void release() {
        for (ServerSocket socket : held) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
