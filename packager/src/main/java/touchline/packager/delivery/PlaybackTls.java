package touchline.packager.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.ServerCertificate;

/**
 * TLS of the viewers' port: the certificate, HTTP/2 or HTTP/1.1 by ALPN (RFC 7301), resumption by
 * tickets that outlive no more than two turns of their keys. BoringSSL where its library loads, the
 * JDK's own elsewhere. A new certificate gets a context and ticket keys of its own, so that no
 * client resumes a session of the earlier one; connections keep theirs. Any thread.
 */
final class PlaybackTls implements CurrentCertificate.Listener {
    /** Interval at which ticket keys are replaced: bounds what a stolen key decrypts. */
    static final Duration KEY_TURN = Duration.ofHours(8);

    private static final Logger LOG = LoggerFactory.getLogger(PlaybackTls.class);

    /** The newest key issues tickets, the others still accept theirs. */
    private static final int KEYS = 3;

    private static final long SESSION_SECONDS = 2 * KEY_TURN.toSeconds();

    /** For the JDK's provider, and TLS 1.2 clients without tickets. */
    private static final long SESSIONS = 20_000;

    private final CurrentCertificate certificate;
    private final SslProvider provider;
    private final SecureRandom random = new SecureRandom();
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Deque<OpenSslSessionTicketKey> keys = new ArrayDeque<>();

    // Written under the lock.
    private volatile SslContext context;

    private PlaybackTls(CurrentCertificate certificate, SslProvider provider) {
        this.certificate = certificate;
        this.provider = provider;
        context = contextOf(certificate.get(), provider);
    }

    /**
     * Empty without a certificate: the port then speaks HTTP.
     *
     * @throws IllegalArgumentException where the certificate cannot be used
     */
    static Optional<PlaybackTls> of(Optional<CurrentCertificate> certificate) {
        return certificate.map(shown -> of(shown, provider()));
    }

    static PlaybackTls of(CurrentCertificate certificate, SslProvider provider) {
        PlaybackTls tls = new PlaybackTls(certificate, provider);
        certificate.show(tls);
        return tls;
    }

    @Override
    public Runnable prepare(ServerCertificate next) {
        SslContext made = contextOf(next, provider);
        return () -> {
            synchronized (lock) {
                context = made;
                keys.clear();
                addKey(made);
            }
        };
    }

    private static SslContext contextOf(ServerCertificate certificate, SslProvider provider) {
        try {
            return SslContextBuilder.forServer(
                            certificate.key(), certificate.chain().toArray(X509Certificate[]::new))
                    .sslProvider(provider)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                    .applicationProtocolConfig(
                            protocols(
                                    ApplicationProtocolNames.HTTP_2,
                                    ApplicationProtocolNames.HTTP_1_1))
                    .sessionCacheSize(SESSIONS)
                    .sessionTimeout(SESSION_SECONDS)
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "playback: the certificate cannot be used: " + e.getMessage(), e);
        }
    }

    private static ApplicationProtocolConfig protocols(String... names) {
        return new ApplicationProtocolConfig(
                ApplicationProtocolConfig.Protocol.ALPN,
                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                names);
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

    /** For a new connection. */
    SslContext context() {
        return context;
    }

    /** Whether a TLS-ALPN-01 challenge runs, so that handshakes have to be looked at. */
    boolean isChallenged() {
        return certificate.isChallenged();
    }

    /**
     * For the validation of a TLS-ALPN-01 challenge (RFC 8737, 3); empty if none runs for the name.
     *
     * @param domain of the client's server name, in lower case
     */
    Optional<SslContext> challenge(String domain) {
        return certificate.challenge(domain).map(this::challengeContext);
    }

    private SslContext challengeContext(ServerCertificate proof) {
        try {
            return SslContextBuilder.forServer(
                            proof.key(), proof.chain().toArray(X509Certificate[]::new))
                    .sslProvider(provider)
                    .applicationProtocolConfig(protocols(AcmeTlsHandler.PROTOCOL))
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("a certificate of this server cannot be used", e);
        }
    }

    /** For the log. */
    String name() {
        return context.sessionContext() instanceof OpenSslSessionContext
                ? "TLS by OpenSSL, HTTP/2"
                : "TLS by the JDK, HTTP/2";
    }

    /** Makes a new key for session tickets; the JDK's provider does that by itself. */
    void turnKeys() {
        synchronized (lock) {
            addKey(context);
        }
    }

    @GuardedBy("lock")
    private void addKey(SslContext to) {
        if (to.sessionContext() instanceof OpenSslSessionContext sessions) {
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
