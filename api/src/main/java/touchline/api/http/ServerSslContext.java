package touchline.api.http;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import touchline.media.tls.CurrentCertificate;
import touchline.media.tls.ServerCertificate;

/**
 * TLS of the control API whose certificate changes: each certificate has a context of its own, with
 * its own session tickets, so a client cannot resume a session of an earlier one. A connection
 * keeps the context of its handshake. Any thread.
 */
final class ServerSslContext extends SSLContextSpi implements CurrentCertificate.Listener {
    private static final char[] NO_PASSWORD = {};

    private volatile SSLContext current;

    private ServerSslContext(SSLContext first) {
        this.current = first;
    }

    /**
     * A context that shows the certificate, also when it changes.
     *
     * @throws IllegalArgumentException where the certificate cannot be used
     */
    static SSLContext showing(CurrentCertificate certificate) {
        ServerSslContext spi = new ServerSslContext(contextOf(certificate.get()));
        certificate.show(spi);
        return new Delegating(spi, spi.current);
    }

    private static final class Delegating extends SSLContext {
        Delegating(SSLContextSpi spi, SSLContext like) {
            super(spi, like.getProvider(), like.getProtocol());
        }
    }

    @Override
    public Runnable prepare(ServerCertificate next) {
        SSLContext made = contextOf(next);
        return () -> current = made;
    }

    private static SSLContext contextOf(ServerCertificate certificate) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry(
                    "server",
                    certificate.key(),
                    NO_PASSWORD,
                    certificate.chain().toArray(Certificate[]::new));
            KeyManagerFactory keys =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, NO_PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), /* tm= */ null, /* random= */ null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "control API: the certificate cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
        throw new UnsupportedOperationException("initialized by its certificate");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return current.createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return current.createSSLEngine(host, port);
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        return current.getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        return current.getServerSocketFactory();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return current.getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return current.getClientSessionContext();
    }
}
