package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import touchline.config.TlsConfig;
import touchline.media.tls.CurrentCertificate;

/** A self-signed certificate for localhost, made by the JDK's keytool. */
record TestCertificate(TlsConfig config, SSLContext client) {
    private static final String PASSWORD = "for-a-test";

    static TestCertificate make(Path folder)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path file = folder.resolve("certificate.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-alias",
                                "t",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "SAN=dns:localhost",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD,
                                "-keystore",
                                file.toString())
                        .inheritIO()
                        .start();
        assertEquals(0, keytool.waitFor(), "keytool");
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        Path chain = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        Files.writeString(chain, pem("CERTIFICATE", store.getCertificate("t").getEncoded()));
        Files.writeString(
                key, pem("PRIVATE KEY", store.getKey("t", PASSWORD.toCharArray()).getEncoded()));
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(null, trust.getTrustManagers(), null);
        TlsConfig config = new TlsConfig(OptionalInt.empty(), Optional.of(chain), Optional.of(key));
        return new TestCertificate(config, client);
    }

    private static String pem(String what, byte[] content) {
        return "-----BEGIN "
                + what
                + "-----\n"
                + Base64.getMimeEncoder().encodeToString(content)
                + "\n-----END "
                + what
                + "-----\n";
    }

    PlaybackTls server() {
        return PlaybackTls.of(Optional.of(shown())).orElseThrow();
    }

    /** The certificate as a server shows it. */
    CurrentCertificate shown() {
        return CurrentCertificate.ofFiles(config.cert(), config.key()).orElseThrow();
    }
}
