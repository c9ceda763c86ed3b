package touchline.overlay.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.overlay.page.BrowserLaunch.Kind;

/** A page behind an untrusted TLS certificate. */
class PageCertificateIT {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir private Path folder;

    @Test
    void page_withACertificateOfItsOwnMaking_isNotShown() throws Exception {
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(selfSigned()));
        server.createContext("/", exchange -> PageSite.send(exchange, 200, "<p>x"));
        server.start();
        PageWitness witness = new PageWitness();
        String url = "https://127.0.0.1:" + server.getAddress().getPort() + "/";
        try (ChromiumRenderer renderer = TestRenderer.of(Kind.HEADLESS_SHELL);
                RenderedPage _ = renderer.open(TestRenderer.request(url), witness)) {
            assertEquals(
                    "failed: its certificate is not trusted (ERR_CERT_AUTHORITY_INVALID)",
                    witness.awaitFailure());
        } finally {
            server.stop(0);
        }
    }

    private SSLContext selfSigned() throws Exception {
        Path store = folder.resolve("keys.p12");
        Process keytool =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                                .toString(),
                                        "-genkeypair",
                                        "-alias",
                                        "page",
                                        "-keyalg",
                                        "EC",
                                        "-dname",
                                        "CN=127.0.0.1",
                                        "-ext",
                                        "san=ip:127.0.0.1",
                                        "-storetype",
                                        "PKCS12",
                                        "-storepass",
                                        String.valueOf(PASSWORD),
                                        "-keystore",
                                        store.toString()))
                        .redirectErrorStream(true)
                        .start();
        String events = new String(keytool.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, keytool.waitFor(), events);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }
}
