package touchline.benchmarks.supply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The OSV service: one question for all libraries. It receives their names and versions. */
final class OsvService {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final JsonMapper JSON = new JsonMapper();

    private final URI address;

    /**
     * @param address of the service, such as {@code https://api.osv.dev}
     */
    OsvService(URI address) {
        this.address = address;
    }

    /**
     * Ids of advisories by library; libraries without one are absent.
     *
     * @throws IOException the service cannot be reached, or replies with an error
     */
    Map<Component, List<String>> ask(List<Component> components)
            throws IOException, InterruptedException {
        ObjectNode body = JSON.createObjectNode();
        ArrayNode queries = body.putArray("queries");
        for (Component each : components) {
            ObjectNode query = queries.addObject();
            query.put("version", each.version());
            query.putObject("package").put("ecosystem", "Maven").put("name", each.name());
        }
        HttpRequest request =
                HttpRequest.newBuilder(address.resolve("/v1/querybatch"))
                        .timeout(TIMEOUT)
                        .header("content-type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                        .build();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            HttpResponse<String> response =
                    client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException("status " + response.statusCode());
            }
            return found(components, JSON.readTree(response.body()).path("results"));
        }
    }

    private static Map<Component, List<String>> found(List<Component> components, JsonNode results)
            throws IOException {
        if (results.size() != components.size()) {
            throw new IOException(
                    "results: %d (expected: %d)".formatted(results.size(), components.size()));
        }
        Map<Component, List<String>> found = new LinkedHashMap<>();
        for (int i = 0; i < components.size(); i++) {
            List<String> ids = new ArrayList<>();
            for (JsonNode vulnerability : results.get(i).path("vulns")) {
                ids.add(vulnerability.path("id").asText());
            }
            if (!ids.isEmpty()) {
                found.put(components.get(i), ids);
            }
        }
        return found;
    }
}
