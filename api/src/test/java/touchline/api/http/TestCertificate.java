package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import touchline.api.certificate.Certificates;
import touchline.config.TlsConfig;
import touchline.media.tls.CurrentCertificate;

/** A self-signed certificate for localhost. */
record TestCertificate(Certificate certificate, TlsConfig tls) {
    static TestCertificate create(Path folder) throws Exception {
        Path store = folder.resolve("store.p12");
        keytool(store);
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        Certificate certificate = keys.getCertificate("api");
        Path cert = pem(folder.resolve("cert.pem"), "CERTIFICATE", certificate.getEncoded());
        Path key =
                pem(
                        folder.resolve("key.pem"),
                        "PRIVATE KEY",
                        keys.getKey("api", "changeit".toCharArray()).getEncoded());
        return new TestCertificate(
                certificate,
                new TlsConfig(OptionalInt.empty(), Optional.of(cert), Optional.of(key)));
    }

    private static void keytool(Path store) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "api",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                "changeit",
                                "-keystore",
                                store.toString())
                        .inheritIO()
                        .start();
        assertEquals(0, process.waitFor());
    }

    private static Path pem(Path file, String type, byte[] der) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(
                file, "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
    }

    /** The same services, with this certificate. */
    ApiDependencies shownBy(ApiDependencies of) {
        return new ApiDependencies(
                of.database(),
                of.streams(),
                of.tokens(),
                of.signingKeys(),
                of.live(),
                of.overlays(),
                of.restreams(),
                of.scoreboards(),
                of.assets(),
                of.clips(),
                of.events(),
                of.encoding(),
                of.moderation(),
                of.backups(),
                of.urlRules(),
                of.readiness(),
                of.host(),
                of.operator(),
                Certificates.of(
                        CurrentCertificate.ofFiles(tls.cert(), tls.key()).orElseThrow(),
                        of.clock()),
                of.registry(),
                of.tracing(),
                of.clock());
    }

    SSLContext trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("api", certificate);
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }
}
