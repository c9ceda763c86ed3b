package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import touchline.api.domain.EventType;

/** The OpenAPI document as code generators read it. */
final class ApiDocumentRulesTest {
    private static final Set<String> ALL = Set.of("400", "403", "405", "414", "431", "500", "503");

    private final JsonNode document = document();

    private static JsonNode document() {
        try {
            return new ObjectMapper().readTree(OpenApiDocument.load().json().bytes());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static JsonNode strict(String yaml) throws JsonProcessingException {
        return YAMLMapper.builder()
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .build()
                .readTree(yaml);
    }

    @Test
    void document_readStrictly_isTheSame() throws Exception {
        String yaml = new String(OpenApiDocument.load().yaml().bytes(), StandardCharsets.UTF_8);

        assertEquals(document, strict(yaml));
        assertThrows(JsonProcessingException.class, () -> strict("{a: 1, a: 2}"));
    }

    @Test
    void document_comparedWithTheRulesOfGenerators_hasNoFault() {
        assertEquals("", String.join("\n", new ApiDocumentRules(document).check()));
    }

    @Test
    void rules_forWhatGeneratorsMisread_nameEachFault() throws Exception {
        JsonNode broken =
                strict(
                        """
                        paths:
                          /a:
                            get:
                              operationId: a
                              summary: a
                              tags: [A]
                              security: []
                              responses:
                                '200':
                                  description: a
                                  content:
                                    application/json: {schema: {$ref: '#/components/schemas/A'}}
                        components:
                          schemas:
                            A:
                              type: object
                              properties:
                                comma: {type: string, description: Shown, once.}
                                nothing: {type: "null"}
                                beside: {$ref: '#/components/schemas/B', default: low}
                                preset: {type: string, default: low}
                                inner: {type: object, properties: {a: {type: string}}}
                                untyped: {enum: [a, b]}
                                free: {type: object}
                                yes: {type: boolean, const: true}
                                lost: {$ref: '#/components/schemas/C'}
                            B: {type: string}
                            D: {type: string}
                        """);

        assertEquals(
                """
                schemas/A properties/comma: once. is not allowed
                schemas/A properties/nothing: type null
                schemas/A properties/beside: default is not allowed
                schemas/A properties/beside: a reference with more than a description beside it
                schemas/A properties/preset: default is not allowed
                schemas/A properties/inner: a class without a name
                schemas/A properties/untyped: no type
                schemas/A properties/free: an object without properties or additionalProperties
                schemas/A properties/yes: a boolean constant
                schemas/A properties/lost: #/components/schemas/C does not exist
                schemas/D: not used
                """
                        .strip(),
                String.join("\n", new ApiDocumentRules(broken).check()));
    }

    @Test
    void operations_declareWhatEveryCallMayAnswer() {
        List<String> missing = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                JsonNode operation = method.getValue();
                TreeSet<String> expected = new TreeSet<>(ALL);
                if (!operation.get("security").isEmpty()) {
                    expected.addAll(Set.of("401", "429"));
                }
                if (!method.getKey().equals("get")) {
                    expected.add("507");
                }
                if (operation.has("requestBody")) {
                    expected.addAll(Set.of("413", "415"));
                }
                operation.get("responses").fieldNames().forEachRemaining(expected::remove);
                if (!expected.isEmpty()) {
                    missing.add(method.getKey() + " " + path.getKey() + ": " + expected);
                }
            }
        }

        assertEquals("", String.join("\n", missing));
    }

    @Test
    void repliesToCallsWithBody_mayCarryWarnings() {
        Set<String> without = new TreeSet<>();
        for (JsonNode path : document.get("paths")) {
            for (JsonNode operation : path) {
                String reply =
                        operation
                                .path("responses")
                                .path(operation.path("responses").has("202") ? "202" : "200")
                                .at("/content/application~1json/schema/$ref")
                                .asText();
                if (operation.has("requestBody")
                        && !document.at(reply.substring(1)).at("/properties").has("warnings")) {
                    without.add(reply);
                }
            }
        }

        assertEquals(Set.of(), without);
    }

    @Test
    void webhooks_comparedWithTheEventsThatAreSent_areTheSame() {
        Set<String> sent =
                Stream.concat(
                                Stream.of(EventType.values()).map(EventType::wireName),
                                Stream.of("transcoding_notification"))
                        .collect(Collectors.toCollection(TreeSet::new));
        Set<String> declared = new TreeSet<>();
        document.get("webhooks").fieldNames().forEachRemaining(declared::add);

        assertEquals(sent, declared);
        for (EventType type : EventType.values()) {
            String body =
                    document.at("/webhooks/" + type.wireName())
                            .at("/post/requestBody/content/application~1json/schema/$ref")
                            .asText();
            JsonNode names = document.at(body.substring(1)).at("/properties/type");
            assertTrue(names.toString().contains('"' + type.wireName() + '"'), type.wireName());
        }
    }
}
