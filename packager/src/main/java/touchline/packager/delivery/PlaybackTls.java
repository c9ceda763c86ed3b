package touchline.packager.delivery;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.util.Optional;
import javax.net.ssl.SSLException;
import touchline.config.TlsConfig;

/** The certificate of the viewers' port. */
final class PlaybackTls {
    private PlaybackTls() {}

    /**
     * Empty without a certificate: the port then speaks HTTP.
     *
     * @throws IllegalArgumentException where certificate or key cannot be used
     */
    static Optional<SslContext> of(TlsConfig config) {
        if (config.cert().isEmpty() || config.key().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    SslContextBuilder.forServer(
                                    config.cert().get().toFile(), config.key().get().toFile())
                            .build());
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "tls.cert, tls.key: cannot be used: " + e.getMessage(), e);
        }
    }
}
