package touchline.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

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
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(ALIAS, certificate);
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        SSLContext.setDefault(context);
    }
}
