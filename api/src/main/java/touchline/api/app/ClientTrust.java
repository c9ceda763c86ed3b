package touchline.api.app;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trust of a client with rules of its own for the certificates of servers; all else is as this JVM
 * has it. Any thread.
 */
abstract class ClientTrust extends X509ExtendedTrustManager {
    /** That of this JVM. */
    final X509ExtendedTrustManager usual;

    ClientTrust(X509ExtendedTrustManager usual) {
        this.usual = usual;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyExchange, SSLEngine engine)
            throws CertificateException {
        usual.checkClientTrusted(chain, keyExchange, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyExchange, Socket socket)
            throws CertificateException {
        usual.checkClientTrusted(chain, keyExchange, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyExchange)
            throws CertificateException {
        usual.checkClientTrusted(chain, keyExchange);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return usual.getAcceptedIssuers();
    }
}
