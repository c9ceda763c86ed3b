package touchline.packager.delivery;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.TlsConfig;

/**
 * TLS of the viewers' port: the certificate, HTTP/2 or HTTP/1.1 by ALPN (RFC 7301), resumption by
 * tickets that outlive no more than two turns of their keys. BoringSSL where its library loads, the
 * JDK's own elsewhere. {@link #turnKeys} from one thread at a time; the rest from any.
 */
final class PlaybackTls {
    /** Interval at which ticket keys are replaced: bounds what a stolen key decrypts. */
    static final Duration KEY_TURN = Duration.ofHours(8);

    private static final Logger LOG = LoggerFactory.getLogger(PlaybackTls.class);

    /** The newest key issues tickets, the others still accept theirs. */
    private static final int KEYS = 3;

    private static final long SESSION_SECONDS = 2 * KEY_TURN.toSeconds();

    /** For the JDK's provider, and TLS 1.2 clients without tickets. */
    private static final long SESSIONS = 20_000;

    private final SslContext context;
    private final SecureRandom random = new SecureRandom();
    private final Deque<OpenSslSessionTicketKey> keys = new ArrayDeque<>();

    private PlaybackTls(SslContext context) {
        this.context = context;
        turnKeys();
    }

    /**
     * Empty without a certificate: the port then speaks HTTP.
     *
     * @throws IllegalArgumentException where certificate or key cannot be used
     */
    static Optional<PlaybackTls> of(TlsConfig config) {
        if (config.cert().isEmpty() || config.key().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(of(config, provider()));
    }

    static PlaybackTls of(TlsConfig config, SslProvider provider) {
        try {
            return new PlaybackTls(
                    SslContextBuilder.forServer(
                                    config.cert().orElseThrow().toFile(),
                                    config.key().orElseThrow().toFile())
                            .sslProvider(provider)
                            .protocols("TLSv1.3", "TLSv1.2")
                            .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                            .applicationProtocolConfig(
                                    new ApplicationProtocolConfig(
                                            ApplicationProtocolConfig.Protocol.ALPN,
                                            ApplicationProtocolConfig.SelectorFailureBehavior
                                                    .NO_ADVERTISE,
                                            ApplicationProtocolConfig
                                                    .SelectedListenerFailureBehavior.ACCEPT,
                                            ApplicationProtocolNames.HTTP_2,
                                            ApplicationProtocolNames.HTTP_1_1))
                            .sessionCacheSize(SESSIONS)
                            .sessionTimeout(SESSION_SECONDS)
                            .build());
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "tls.cert, tls.key: cannot be used: " + e.getMessage(), e);
        }
    }

    private static SslProvider provider() {
        if (OpenSsl.isAvailable()) {
            return SslProvider.OPENSSL;
        }
        LOG.info(
                "playback: TLS by the JDK, which uses more CPU: OpenSSL cannot be loaded ({})",
                String.valueOf(OpenSsl.unavailabilityCause()));
        return SslProvider.JDK;
    }

    SslContext context() {
        return context;
    }

    /** For the log. */
    String name() {
        return context.sessionContext() instanceof OpenSslSessionContext
                ? "TLS by OpenSSL, HTTP/2"
                : "TLS by the JDK, HTTP/2";
    }

    /** Makes a new key for session tickets; the JDK's provider does that by itself. */
    void turnKeys() {
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            keys.addFirst(
                    new OpenSslSessionTicketKey(
                            random(OpenSslSessionTicketKey.NAME_SIZE),
                            random(OpenSslSessionTicketKey.HMAC_KEY_SIZE),
                            random(OpenSslSessionTicketKey.AES_KEY_SIZE)));
            if (keys.size() > KEYS) {
                keys.removeLast();
            }
            sessions.setTicketKeys(keys.toArray(OpenSslSessionTicketKey[]::new));
        }
    }

    private byte[] random(int bytes) {
        byte[] filled = new byte[bytes];
        random.nextBytes(filled);
        return filled;
    }
}
