package touchline.api.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import touchline.api.access.Digests;

/**
 * The files of the web console and of the API reference. They are read from the class path folder
 * {@code console} with the first request, and served from memory. A folder stands for its {@code
 * index.html}. Any other name is 404. The views are hash routes, so no other path is rewritten. Any
 * thread.
 */
final class ConsolePages {
    private static final String INDEX = "index.html";
    private static final int GZIP_FROM_BYTES = 1_024;
    private static final Map<String, String> TYPES =
            Map.ofEntries(
                    Map.entry("html", "text/html; charset=utf-8"),
                    Map.entry("css", "text/css; charset=utf-8"),
                    Map.entry("js", "text/javascript; charset=utf-8"),
                    Map.entry("mjs", "text/javascript; charset=utf-8"),
                    Map.entry("json", "application/json"),
                    Map.entry("map", "application/json"),
                    Map.entry("svg", "image/svg+xml"),
                    Map.entry("png", "image/png"),
                    Map.entry("ico", "image/vnd.microsoft.icon"),
                    Map.entry("woff2", "font/woff2"),
                    Map.entry("txt", "text/plain; charset=utf-8"));

    private final Supplier<Map<String, Page>> read;

    @GuardedBy("this")
    private @Nullable Map<String, Page> pages;

    private ConsolePages(Supplier<Map<String, Page>> read) {
        this.read = read;
    }

    /**
     * The pages of a folder of the class path. If it is missing, the console is empty.
     *
     * @param folder without slashes at its ends
     * @param values replacements of <code>{{name}}</code> in HTML files, escaped here
     */
    static ConsolePages of(ClassLoader loader, String folder, Map<String, String> values) {
        return new ConsolePages(() -> read(loader, folder, values));
    }

    private static Map<String, Page> read(
            ClassLoader loader, String folder, Map<String, String> values) {
        URL root = loader.getResource(folder);
        if (root == null) {
            return Map.of();
        }
        try {
            URI uri = root.toURI();
            if (!"jar".equals(uri.getScheme())) {
                return read(Path.of(uri), values);
            }
            try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
                return read(jar.getPath("/" + folder), values);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the console's files", e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("class path folder " + folder, e);
        }
    }

    /**
     * The file behind a path.
     *
     * @param path as sent, not decoded: the console's names need no escapes
     */
    Optional<Page> find(String path) {
        Map<String, Page> all = pages();
        return Optional.ofNullable(all.get(path.endsWith("/") ? path + INDEX : path))
                .or(() -> Optional.ofNullable(path.isEmpty() ? null : all.get(path + "/" + INDEX)));
    }

    /** Not at the start of the server, which they would delay. */
    private synchronized Map<String, Page> pages() {
        Map<String, Page> made = pages;
        if (made == null) {
            made = Map.copyOf(read.get());
            pages = made;
        }
        return made;
    }

    private static Map<String, Page> read(Path root, Map<String, String> values)
            throws IOException {
        Map<String, Page> pages = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = "/" + root.relativize(file).toString().replace('\\', '/');
                String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
                // Notes and licences have other extensions and are not served.
                if (type != null) {
                    byte[] bytes = Files.readAllBytes(file);
                    pages.put(
                            name,
                            new Page(type, name.endsWith(".html") ? filled(bytes, values) : bytes));
                }
            }
        }
        return pages;
    }

    private static byte[] filled(byte[] html, Map<String, String> values) {
        String text = new String(html, StandardCharsets.UTF_8);
        for (Map.Entry<String, String> value : values.entrySet()) {
            String escaped =
                    value.getValue()
                            .replace("&", "&amp;")
                            .replace("<", "&lt;")
                            .replace("\"", "&quot;");
            text = text.replace("{{" + value.getKey() + "}}", escaped);
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** One file, plain and gzip'd; packed when first asked for. Any thread. */
    static final class Page {
        private static final String METHODS = "GET, HEAD, OPTIONS";

        private final String type;
        private final byte[] bytes;
        private final boolean isPackable;
        private final String etag;
        private byte @Nullable [] packed;

        Page(String type, byte[] bytes) {
            this.type = type;
            this.bytes = bytes;
            this.isPackable = worthGzip(type, bytes);
            this.etag = "\"" + Digests.sha256(bytes).substring(0, 32) + "\"";
        }

        /**
         * Answers GET and HEAD, with 304 if the client has this version. OPTIONS, which health
         * checks send, has the methods only.
         *
         * @throws ApiException 40501 for other methods
         */
        void answer(ServerRequest request, ServerResponse response) {
            String method = request.prologue().method().text();
            if (method.equals("OPTIONS")) {
                response.status(Status.NO_CONTENT_204);
                response.header(HeaderNames.ALLOW, METHODS);
                response.send();
                return;
            }
            if (!method.equals("GET") && !method.equals("HEAD")) {
                throw ApiException.methodNotAllowed("this one", METHODS);
            }
            response.header(HeaderNames.ETAG, etag);
            // Cached, but revalidated each time: an update of the server is visible at once.
            response.headers().set(HeaderNames.CACHE_CONTROL, "no-cache");
            response.header(HeaderNames.VARY, "Accept-Encoding");
            if (knows(request.headers().values(HeaderNames.IF_NONE_MATCH))) {
                response.status(Status.NOT_MODIFIED_304);
                response.send();
                return;
            }
            byte[] body = bytes;
            if (isPackable && acceptsGzip(request)) {
                response.header(HeaderNames.CONTENT_ENCODING, "gzip");
                body = packed();
            }
            ReplyWriter.send(type, body, request, response);
        }

        /** Not at the start of the server: the largest file takes a tenth of a second. */
        private synchronized byte[] packed() {
            byte[] made = packed;
            if (made == null) {
                made = gzip(bytes);
                packed = made;
            }
            return made;
        }

        private boolean knows(List<String> tags) {
            return tags.stream()
                    .flatMap(value -> Stream.of(value.split(",")))
                    .map(String::strip)
                    .anyMatch(
                            tag -> tag.equals("*") || tag.equals(etag) || tag.equals("W/" + etag));
        }

        private static boolean acceptsGzip(ServerRequest request) {
            return request.headers().values(HeaderNames.ACCEPT_ENCODING).stream()
                    .flatMap(value -> Stream.of(value.split(",")))
                    .map(value -> value.replace(" ", ""))
                    .anyMatch(
                            value ->
                                    value.equals("gzip")
                                            || value.matches("gzip;q=(1|0\\.\\d*[1-9]).*"));
        }

        private static boolean worthGzip(String type, byte[] bytes) {
            return bytes.length >= GZIP_FROM_BYTES
                    && (type.startsWith("text/") || type.contains("json") || type.contains("svg"));
        }

        private static byte[] gzip(byte[] bytes) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
                out.write(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException("gzip in memory", e);
            }
            return packed.toByteArray();
        }
    }
}
