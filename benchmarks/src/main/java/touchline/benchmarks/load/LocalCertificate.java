package touchline.benchmarks.load;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A self-signed certificate for loopback, in PEM files of a folder of its own. Immutable.
 *
 * @param certificate what clients must trust
 */
public record LocalCertificate(Certificate certificate, Path folder) {
    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "server";

    /** By keytool of this JDK. */
    public static LocalCertificate create()
            throws IOException, InterruptedException, GeneralSecurityException {
        Path folder = Files.createTempDirectory("touchline-bench-tls");
        Path store = folder.resolve("store.p12");
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Command.require(
                List.of(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString()));
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        Certificate certificate = keys.getCertificate(ALIAS);
        pem(folder.resolve("cert.pem"), "CERTIFICATE", certificate.getEncoded());
        byte[] key = keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
        pem(folder.resolve("key.pem"), "PRIVATE KEY", key);
        return new LocalCertificate(certificate, folder);
    }

    private static void pem(Path file, String type, byte[] der) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.writeString(
                file, "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
    }

    /** The server's environment: API and playback use TLS. */
    public Map<String, String> environment() {
        return Map.of(
                "TOUCHLINE_TLS_CERT", folder.resolve("cert.pem").toString(),
                "TOUCHLINE_TLS_KEY", folder.resolve("key.pem").toString());
    }

    /** All TLS connections of this JVM trust the certificate from now on. */
    public void trust() throws IOException, GeneralSecurityException {
        trust(List.of(this));
    }

    /** All TLS connections of this JVM trust these certificates, and no others, from now on. */
    public static void trust(List<LocalCertificate> all)
            throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (int i = 0; i < all.size(); i++) {
            trusted.setCertificateEntry(ALIAS + i, all.get(i).certificate());
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        SSLContext.setDefault(context);
    }

    /** The certificate that a new handshake sees, trusted or not. */
    public static Certificate shown(URI address) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Everything()}, null);
        try (SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(address.getHost(), address.getPort())) {
            socket.startHandshake();
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    /** For looking at a certificate only. */
    private static final class Everything extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
