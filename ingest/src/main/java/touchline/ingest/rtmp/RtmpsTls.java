package touchline.ingest.rtmp;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLException;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.ServerCertificate;

/**
 * TLS of the RTMPS listener, TLS 1.2 and 1.3. Each certificate has a context of its own, with its
 * own keys of session tickets, so a client cannot resume a session of an earlier certificate. A
 * connection keeps the context of its handshake. Any thread.
 */
final class RtmpsTls implements CurrentCertificate.Listener {
    private volatile SslContext context;

    /**
     * @throws IllegalArgumentException where the TLS library cannot use the certificate
     */
    RtmpsTls(ServerCertificate first) {
        context = contextOf(first);
    }

    @Override
    public Runnable prepare(ServerCertificate next) {
        SslContext made = contextOf(next);
        return () -> context = made;
    }

    /** For a new connection. */
    SslContext context() {
        return context;
    }

    private static SslContext contextOf(ServerCertificate certificate) {
        try {
            return SslContextBuilder.forServer(
                            certificate.key(), certificate.chain().toArray(X509Certificate[]::new))
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "RTMPS: the certificate cannot be used: " + e.getMessage(), e);
        }
    }
}
