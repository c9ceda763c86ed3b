package touchline.api.http;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The description of the interface: {@code openapi.yaml} as written, and as JSON. It is read once a
 * JVM, and converted where a client wants JSON: no start waits for that. Any thread.
 */
final class OpenApiDocument {
    private static final String RESOURCE = "openapi.yaml";

    private final byte[] yaml;

    /** The document of this class's package. */
    private static final class Read {
        static final OpenApiDocument DOCUMENT = new OpenApiDocument(read());

        private static byte[] read() {
            try (InputStream in = OpenApiDocument.class.getResourceAsStream(RESOURCE)) {
                if (in == null) {
                    throw new IllegalStateException(RESOURCE + " is not on the class path");
                }
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(RESOURCE, e);
            }
        }
    }

    /** The same as JSON. */
    private static final class Converted {
        static final byte[] JSON = converted();

        private static byte[] converted() {
            try {
                return Json.bytes(new YAMLMapper().readTree(Read.DOCUMENT.yaml));
            } catch (IOException e) {
                throw new UncheckedIOException(RESOURCE, e);
            }
        }
    }

    private OpenApiDocument(byte[] yaml) {
        this.yaml = yaml;
    }

    static OpenApiDocument load() {
        return Read.DOCUMENT;
    }

    /** The same bytes for all replies: many may wait for their clients at a time. */
    ApiReply.Body yaml() {
        return new ApiReply.Body(yaml);
    }

    /** Likewise. */
    ApiReply.Body json() {
        return new ApiReply.Body(Converted.JSON);
    }
}
