package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The description of the interface: {@code openapi.yaml} as written, and as JSON. Any thread. */
final class OpenApiDocument {
    private static final String RESOURCE = "openapi.yaml";

    private final byte[] yaml;
    private final byte[] json;

    private OpenApiDocument(byte[] yaml, byte[] json) {
        this.yaml = yaml;
        this.json = json;
    }

    /**
     * Reads the document from this class's package.
     *
     * @throws IllegalStateException if it is missing
     */
    static OpenApiDocument load() {
        try (InputStream in = OpenApiDocument.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is not on the class path");
            }
            byte[] yaml = in.readAllBytes();
            JsonNode tree = new YAMLMapper().readTree(yaml);
            return new OpenApiDocument(yaml, Json.bytes(tree));
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE, e);
        }
    }

    byte[] yaml() {
        return yaml.clone();
    }

    byte[] json() {
        return json.clone();
    }
}
