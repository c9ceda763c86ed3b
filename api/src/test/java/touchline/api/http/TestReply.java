package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An answer as a client sees it. */
record TestReply(int status, Map<String, List<String>> headers, String text) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    JsonNode json() {
        try {
            return MAPPER.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
    }

    JsonNode data() {
        return json().get("data");
    }

    int code() {
        return json().get("code").intValue();
    }

    Optional<String> header(String name) {
        return headers.entrySet().stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                .map(entry -> entry.getValue().getFirst())
                .findFirst();
    }

    /** The fields that the errors name, in order. */
    List<String> badFields() {
        List<String> fields = new ArrayList<>();
        json().path("errors").forEach(e -> fields.add(e.get("field").textValue()));
        return fields;
    }
}
