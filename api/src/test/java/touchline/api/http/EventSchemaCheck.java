package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import touchline.api.domain.EventType;

/**
 * Holds what webhooks send against the schemas and the OpenAPI document that the server serves. Any
 * thread.
 */
public final class EventSchemaCheck {
    private static final String BASE = "https://server.test/schemas/events/";

    /** One per JVM: parsing all schemas takes longer than most tests. */
    public static final EventSchemaCheck SHARED = new EventSchemaCheck();

    private final SchemaRegistry registry;
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();
    private final ApiDocumentCheck document = ApiDocumentCheck.SHARED;

    private EventSchemaCheck() {
        Map<String, String> texts = new HashMap<>();
        texts.put(BASE + "common.json", text("common"));
        for (EventType type : EventType.values()) {
            texts.put(BASE + type.wireName() + ".json", text(type.wireName()));
        }
        registry =
                SchemaRegistry.withDialect(
                        Dialects.getDraft202012(), builder -> builder.schemas(texts));
    }

    /** Fails where an event is not what its schema says. */
    public void check(String body) {
        try {
            String type = new ObjectMapper().readTree(body).path("type").asText();
            Schema schema =
                    schemas.computeIfAbsent(
                            type,
                            name -> registry.getSchema(SchemaLocation.of(BASE + name + ".json")));
            assertEquals(List.of(), schema.validate(body, InputFormat.JSON), body);
            document.checkWebhook(type, body);
        } catch (IOException e) {
            throw new UncheckedIOException(body, e);
        }
    }

    /** Fails where a notification of transcoding is not what the OpenAPI document says. */
    public void checkNotification(String body) {
        document.checkWebhook("transcoding_notification", body);
    }

    private static String text(String name) {
        String resource = "schemas/" + name + ".json";
        try (InputStream in =
                Objects.requireNonNull(
                        EventSchemas.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(resource, e);
        }
    }
}
