package touchline.api.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import touchline.config.ApiConfig;
import touchline.config.ClusterConfig;
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
        ApiConfig api = from.api().withPort(port(from.api().host(), from.api().port()));
        PlaybackConfig playback =
                from.playback().withPort(port(from.playback().host(), from.playback().port()));
        RtmpConfig rtmp = from.rtmp().withPort(port(from.rtmp().host(), from.rtmp().port()));
        ClusterConfig cluster = from.cluster();
        if (cluster.enabled()) {
            cluster = cluster.withPort(port(cluster.host(), cluster.port()));
        }
        TlsConfig tls = from.tls();
        if (tls.rtmpsPort().isPresent()) {
            tls = tls.withRtmpsPort(port(rtmp.host(), tls.rtmpsPort().getAsInt()));
        }
        PublicConfig urls =
                from.publicUrls()
                        .withBoundPorts(
                                api.port(), playback.port(), tls.rtmpsPort().orElse(rtmp.port()));
        return from.withListeners(api, playback, rtmp, cluster, tls, urls);
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
