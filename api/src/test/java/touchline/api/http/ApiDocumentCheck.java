package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Holds replies and webhooks against the OpenAPI document: the status must be declared for the
 * operation, the body must have its schema, and no field may be there that the schema does not
 * name. Any thread.
 */
final class ApiDocumentCheck {
    private static final String BASE = "https://touchline.test/openapi";

    /** One per JVM: parsing the document and its schemas takes longer than most tests. */
    static final ApiDocumentCheck SHARED = new ApiDocumentCheck();

    /** One operation of the document. */
    record Operation(String method, String path, JsonNode declared) {}

    private final ObjectNode document;
    private final List<Operation> operations = new ArrayList<>();
    private final SchemaRegistry registry;
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    private ApiDocumentCheck() {
        try {
            document =
                    (ObjectNode) new ObjectMapper().readTree(OpenApiDocument.load().json().bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
                operations.add(
                        new Operation(
                                operation.getKey().toUpperCase(java.util.Locale.ROOT),
                                path.getKey(),
                                operation.getValue()));
            }
        }
        ObjectNode strict = document.deepCopy();
        strict.get("components").get("schemas").forEach(ApiDocumentCheck::refuseOtherFields);
        String text = strict.toString();
        registry =
                SchemaRegistry.withDialect(
                        Dialects.getDraft202012(), builder -> builder.schemas(Map.of(BASE, text)));
    }

    List<Operation> operations() {
        return operations;
    }

    /** The operation behind a path; empty where the document has no such path and method. */
    Optional<Operation> find(String method, String path) {
        String asked = method.equals("HEAD") ? "GET" : method;
        return operations.stream()
                .filter(o -> o.method().equals(asked) && matches(o.path(), path))
                .findFirst();
    }

    boolean hasPath(String path) {
        return operations.stream().anyMatch(o -> matches(o.path(), path));
    }

    /**
     * @param target path and query
     */
    void check(String method, String target, TestReply reply) {
        String path = target.replaceFirst("\\?.*", "");
        Optional<Operation> operation = find(method, path);
        if (operation.isEmpty()) {
            if (reply.status() >= 400) {
                validate("/components/schemas/Failure", method + " " + target, reply.text());
            }
            return;
        }
        JsonNode responses = operation.get().declared().get("responses");
        JsonNode response = responses.get(Integer.toString(reply.status()));
        String place = method + " " + operation.get().path() + " -> " + reply.status();
        assertTrue(response != null, () -> place + " is not declared: " + reply.text());
        JsonNode resolved =
                response.has("$ref")
                        ? document.at(response.get("$ref").textValue().substring(1))
                        : response;
        assertTrue(reply.header("X-Request-Id").isPresent(), () -> place + ": no request id");
        if (!resolved.has("content")) {
            assertEquals("", reply.text(), place);
            return;
        }
        String type = reply.header("Content-Type").orElseThrow().replaceFirst(";.*", "");
        JsonNode schema = resolved.get("content").path(type).path("schema");
        assertTrue(schema.isObject(), () -> place + ": " + type + " is not declared");
        if (type.equals("application/json") && schema.has("$ref") && !method.equals("HEAD")) {
            validate(schema.get("$ref").textValue().substring(1), place, reply.text());
        }
    }

    /** Holds an example of the document against its schema. */
    void checkRequest(Operation operation, String body) {
        String ref =
                operation
                        .declared()
                        .at("/requestBody/content/application~1json/schema/$ref")
                        .textValue();
        validate(ref.substring(1), "example of " + operation.path(), body);
    }

    /** Holds what the server sends to a receiver against the document's webhook of that name. */
    void checkWebhook(String name, String body) {
        String ref =
                document.path("webhooks")
                        .path(name)
                        .at("/post/requestBody/content/application~1json/schema/$ref")
                        .asText();
        assertTrue(!ref.isEmpty(), () -> "webhook " + name + " is not declared");
        validate(ref.substring(1), "webhook " + name, body);
    }

    private void validate(String pointer, String place, String json) {
        Schema schema =
                schemas.computeIfAbsent(
                        pointer, p -> registry.getSchema(SchemaLocation.of(BASE + "#" + p)));
        assertEquals(List.of(), schema.validate(json, InputFormat.JSON), () -> place + ": " + json);
    }

    private static boolean matches(String template, String path) {
        String[] parts = template.split("/", -1);
        StringBuilder regex = new StringBuilder();
        for (int i = 1; i < parts.length; i++) {
            regex.append('/').append(parts[i].startsWith("{") ? "[^/]+" : Pattern.quote(parts[i]));
        }
        return path.matches(regex.toString());
    }

    private static void refuseOtherFields(JsonNode schema) {
        if (schema instanceof ObjectNode object
                && object.has("properties")
                && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        schema.forEach(ApiDocumentCheck::refuseOtherFields);
    }
}
