package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.overlay.page.BrowserLaunch.Kind;
import touchline.testing.SelfSigned;

/** A page behind an untrusted TLS certificate. */
class PageCertificateIT {
    @TempDir private Path folder;

    @Test
    void page_withACertificateOfItsOwnMaking_isNotShown() throws Exception {
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        server.setHttpsConfigurator(
                new HttpsConfigurator(SelfSigned.make(folder, "page", "127.0.0.1").server()));
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
}
