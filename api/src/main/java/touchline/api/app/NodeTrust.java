package touchline.api.app;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import touchline.media.tls.ServerCertificate;

/**
 * Trust in the other nodes of a cluster. They are reached at addresses, and show a certificate for
 * the name that clients use: this node's own one is good, and others that the JVM trusts for that
 * name. Any thread.
 */
final class NodeTrust extends ClientTrust {
    private final Supplier<Optional<X509Certificate>> own;
    private final String publicName;

    private NodeTrust(
            Supplier<Optional<X509Certificate>> own,
            String publicName,
            X509ExtendedTrustManager usual) {
        super(usual);
        this.own = own;
        this.publicName = publicName.toLowerCase(Locale.ROOT);
    }

    /**
     * @param own the certificate that this node shows, read at each handshake
     * @param publicName the host of {@code public.playback-url}
     */
    static SSLContext of(Supplier<Optional<X509Certificate>> own, String publicName) {
        return ServerTrust.context(usual -> new NodeTrust(own, publicName, usual));
    }

    private void check(X509Certificate[] chain, String keyExchange) throws CertificateException {
        if (chain.length > 0 && own.get().filter(chain[0]::equals).isPresent()) {
            return;
        }
        // Without the address that was connected: certificates name no addresses of nodes.
        usual.checkServerTrusted(chain, keyExchange);
        if (ServerCertificate.names(chain[0]).stream().noneMatch(this::isPublicName)) {
            throw new CertificateException(
                    "the certificate of a node is not for "
                            + publicName
                            + " (public.playback-url)");
        }
    }

    /** A star stands for one label (RFC 9525, 6.3). */
    private boolean isPublicName(String certified) {
        String name = certified.toLowerCase(Locale.ROOT);
        return name.equals(publicName)
                || (name.startsWith("*.")
                        && name.substring(1).equals(publicName.replaceFirst("^[^.]+", "")));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyExchange, SSLEngine engine)
            throws CertificateException {
        check(chain, keyExchange);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyExchange, Socket socket)
            throws CertificateException {
        check(chain, keyExchange);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyExchange)
            throws CertificateException {
        check(chain, keyExchange);
    }
}
