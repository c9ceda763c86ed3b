package touchline.api.http;

import io.helidon.http.Method;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import touchline.api.domain.EventType;

/**
 * {@code /schemas/events/}: the JSON Schema of each event's body: one file for each type, and one
 * with shared definitions. Public. Any thread.
 */
final class EventSchemas {
    private static final String FOLDER = "schemas/";
    private static final String SUFFIX = ".json";

    /** The shared definitions. */
    private static final String SHARED = "common";

    private final Map<String, byte[]> files = new HashMap<>();

    /**
     * Reads the files from this class's package.
     *
     * @throws IllegalStateException if one is missing
     */
    EventSchemas() {
        read(SHARED);
        for (EventType type : EventType.values()) {
            read(type.wireName());
        }
    }

    private void read(String name) {
        String resource = FOLDER + name + SUFFIX;
        try (InputStream in = EventSchemas.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not on the class path");
            }
            files.put(name + SUFFIX, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }

    List<ApiRoute> routes() {
        return List.of(ApiRoute.open(Method.GET, "/schemas/events/{file}", this::find));
    }

    private ApiReply find(ApiRequest request) {
        byte[] schema = files.get(request.pathText("file"));
        if (schema == null) {
            throw ApiException.notFound("schema");
        }
        return ApiReply.document("application/schema+json", schema);
    }
}
