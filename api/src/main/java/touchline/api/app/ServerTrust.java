package touchline.api.app;

import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import touchline.api.certificate.AcmeStore;
import touchline.config.ServerConfig;

/**
 * Trust in the server of a configuration: its own certificate is good at any address, since only
 * that server has the key. Other certificates are checked as usual, with the host's name. Any
 * thread.
 */
final class ServerTrust extends ClientTrust {
    private final X509Certificate own;

    private ServerTrust(X509Certificate own, X509ExtendedTrustManager usual) {
        super(usual);
        this.own = own;
    }

    /** Empty where the server has no certificate, or none yet. */
    static Optional<SSLContext> of(ServerConfig config) {
        Optional<Path> file = config.tls().cert();
        if (config.tls().acme().isEnabled()) {
            file =
                    Optional.of(new AcmeStore(config.dataDir()).certificateFile())
                            .filter(Files::isReadable);
        }
        return file.map(pem -> TlsFiles.certificates(pem).getFirst())
                .map(own -> context(usual -> new ServerTrust(own, usual)));
    }

    /**
     * TLS for a client.
     *
     * @param trust made from that of this JVM
     */
    static SSLContext context(UnaryOperator<X509ExtendedTrustManager> trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    /* km= */ null, new TrustManager[] {trust.apply(usual())}, /* random= */ null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("TLS is part of every JDK", e);
        }
    }

    private static X509ExtendedTrustManager usual() throws GeneralSecurityException {
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("no trust manager"));
    }

    private boolean isOwn(X509Certificate[] chain) {
        return chain.length > 0 && own.equals(chain[0]);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyExchange, SSLEngine engine)
            throws CertificateException {
        if (!isOwn(chain)) {
            usual.checkServerTrusted(chain, keyExchange, engine);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyExchange, Socket socket)
            throws CertificateException {
        if (!isOwn(chain)) {
            usual.checkServerTrusted(chain, keyExchange, socket);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyExchange)
            throws CertificateException {
        if (!isOwn(chain)) {
            usual.checkServerTrusted(chain, keyExchange);
        }
    }
}
