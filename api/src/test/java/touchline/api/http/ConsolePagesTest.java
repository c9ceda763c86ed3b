package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helidon.http.HeaderNames;
import io.helidon.webclient.http1.Http1ClientRequest;
import io.helidon.webclient.http1.Http1ClientResponse;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.testing.junit5.DirectClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConsolePagesTest {
    private static final ConsolePages PAGES =
            ConsolePages.of(
                    ConsolePagesTest.class.getClassLoader(),
                    "console-test",
                    Map.of("playback_url", "http://play.test/?a=\"<&"));
    private static final DirectClient CLIENT =
            new DirectClient(
                    HttpRouting.builder()
                            .any(
                                    (request, response) ->
                                            PAGES.find(request.path().rawPath())
                                                    .orElseThrow()
                                                    .answer(request, response)));

    @AfterAll
    static void close() {
        CLIENT.closeResource();
    }

    @Test
    void find_ofWhatIsNotThere_isEmpty() {
        for (String path :
                List.of(
                        "",
                        "/nothing.js",
                        "/js",
                        "/js/",
                        "/docs//",
                        "/docs/index.html/",
                        "//index.html",
                        "/js/../index.html",
                        "/%69ndex.html",
                        "/NOTICE.md",
                        "/..")) {
            assertTrue(PAGES.find(path).isEmpty(), path);
        }
        assertTrue(
                ConsolePages.of(getClass().getClassLoader(), "no-such-folder", Map.of())
                        .find("/")
                        .isEmpty());
    }

    @Test
    void index_hasItsValuesEscaped() {
        try (Http1ClientResponse response = CLIENT.get("/").request()) {
            String html = response.as(String.class);
            assertTrue(html.contains("content=\"http://play.test/?a=&quot;&lt;&amp;\""), html);
            assertEquals("no-cache", response.headers().get(HeaderNames.CACHE_CONTROL).get());
        }
    }

    @Test
    void folder_withAnIndex_isThatPage() {
        for (String path : List.of("/docs", "/docs/", "/docs/index.html")) {
            try (Http1ClientResponse response = CLIENT.get(path).request()) {
                assertTrue(response.as(String.class).contains("<title>reference</title>"), path);
            }
        }
    }

    @Test
    void script_hasItsType() {
        try (Http1ClientResponse response = CLIENT.get("/js/app.js").request()) {
            assertEquals(
                    "text/javascript; charset=utf-8",
                    response.headers().get(HeaderNames.CONTENT_TYPE).get());
            assertEquals("export const answer = 42;\n", response.as(String.class));
        }
    }

    @Test
    void page_knownByItsTag_is304() {
        String etag;
        try (Http1ClientResponse response = CLIENT.get("/js/app.js").request()) {
            etag = response.headers().get(HeaderNames.ETAG).get();
        }
        for (String known : List.of(etag, "\"x\", W/" + etag, "*")) {
            try (Http1ClientResponse response = conditional(known)) {
                assertEquals(304, response.status().code(), known);
                assertFalse(response.entity().hasEntity());
            }
        }
        try (Http1ClientResponse response = conditional("\"x\"")) {
            assertEquals(200, response.status().code());
        }
    }

    @Test
    void largePage_isGzippedWhereAccepted() throws IOException {
        byte[] plain = bytes("/js/large.mjs", "identity");
        byte[] packed = bytes("/js/large.mjs", "br, gzip;q=0.8");

        assertTrue(packed.length < plain.length / 3);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            assertEquals(
                    new String(plain, StandardCharsets.UTF_8),
                    new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        assertEquals(plain.length, bytes("/js/large.mjs", "gzip;q=0").length);
        assertEquals(26, bytes("/js/app.js", "gzip").length);
    }

    @Test
    void pages_insideAJar_areFound(@TempDir Path folder) throws IOException {
        Path jar = folder.resolve("with space.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (String name : List.of("console/", "console/js/", "console/js/a.js")) {
                entries.putNextEntry(new JarEntry(name));
                if (!name.endsWith("/")) {
                    entries.write("1".getBytes(StandardCharsets.UTF_8));
                }
                entries.closeEntry();
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, /* parent= */ null)) {
            ConsolePages pages = ConsolePages.of(loader, "console", Map.of());

            assertTrue(pages.find("/js/a.js").isPresent());
            assertTrue(pages.find("/").isEmpty());
        }
    }

    private static Http1ClientResponse conditional(String tag) {
        return CLIENT.get("/js/app.js").header(HeaderNames.IF_NONE_MATCH, tag).request();
    }

    private static byte[] bytes(String path, String acceptEncoding) throws IOException {
        Http1ClientRequest request =
                CLIENT.get(path).header(HeaderNames.ACCEPT_ENCODING, acceptEncoding);
        try (Http1ClientResponse response = request.request()) {
            return response.inputStream().readAllBytes();
        }
    }
}
