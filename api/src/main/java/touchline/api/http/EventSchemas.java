package touchline.api.http;

import io.helidon.http.Method;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    private static final Set<String> NAMES =
            Stream.concat(
                            Stream.of(SHARED),
                            Arrays.stream(EventType.values()).map(EventType::wireName))
                    .map(name -> name + SUFFIX)
                    .collect(Collectors.toUnmodifiableSet());

    /** Those that were asked for. */
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();

    /** Reads a file of this class's package. */
    private static byte[] read(String file) {
        String resource = FOLDER + file;
        try (InputStream in = EventSchemas.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }

    List<ApiRoute> routes() {
        return List.of(ApiRoute.open(Method.GET, "/schemas/events/{file}", this::find));
    }

    private ApiReply find(ApiRequest request) {
        String file = request.pathText("file");
        if (!NAMES.contains(file)) {
            throw ApiException.notFound("schema");
        }
        return ApiReply.document(
                "application/schema+json", files.computeIfAbsent(file, EventSchemas::read));
    }
}
