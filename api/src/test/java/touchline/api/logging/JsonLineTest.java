package touchline.api.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class JsonLineTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final LoggerContext LOGGERS = new LoggerContext();

    static {
        LOGGERS.setMDCAdapter(new LogbackMDCAdapter());
    }

    @Test
    void event_ofASession_hasItsFields() throws IOException {
        LoggingEvent event =
                event("stream={} session={} role={} publishing", null, "st_1", "se_2", "PRIMARY");
        event.setMDCPropertyMap(Map.of("session", "another", "request_id", "r-3"));

        assertEquals(
                JSON.readTree(
                        """
                        {"time": "2026-11-23T08:09:10.011Z", "level": "INFO",
                         "logger": "touchline.Some", "stream": "st_1", "session": "se_2",
                         "message": "stream=st_1 session=se_2 role=PRIMARY publishing",
                         "request_id": "r-3"}"""),
                parsed(event));
    }

    @Test
    void event_withoutFieldsOfItsOwn_hasThoseOfItsThread() throws IOException {
        LoggingEvent event = event("a codec warns", null);
        event.setMDCPropertyMap(Map.of("stream", "st_1", "session", "se_2", "secret", "s"));

        JsonNode line = parsed(event);

        assertEquals("st_1", line.path("stream").asText());
        assertEquals("se_2", line.path("session").asText());
        assertFalse(line.has("request_id"), line.toString());
        assertFalse(line.has("secret"), line.toString());
    }

    @Test
    void textOfAClient_cannotForgeAField() throws IOException {
        JsonNode line = parsed(event("client=\"{}\" refused", null, "x stream=st_9 session=se_9"));

        assertFalse(line.has("stream"), line.toString());
        assertFalse(line.has("session"), line.toString());
    }

    @Test
    void exception_isOneFieldOfTheSameLine() throws IOException {
        Throwable failure = new IllegalStateException("a\n\"b\"", new IOException("c"));

        JsonNode line = parsed(event("failed", failure));

        String stack = line.path("stack").asText();
        assertTrue(stack.startsWith("java.lang.IllegalStateException: a\n\"b\""), stack);
        assertTrue(stack.contains("Caused by: java.io.IOException: c"), stack);
    }

    @Test
    void everyCharacter_leavesTheLineWhole() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int each = 0; each <= Character.MAX_VALUE; each++) {
            all.append((char) each);
        }
        String pair = "\ud83c\udfc0";
        String text = all.reverse() + pair + "\ud83c";

        String message = parsed(event(text, null)).path("message").asText();

        assertEquals(text.length(), message.length());
        assertTrue(message.endsWith(pair + "\ufffd"), "pairs stay, halves do not");
    }

    @Test
    void randomText_isReadAsItWas() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j < 40; j++) {
                int code = random.nextInt(Character.MAX_CODE_POINT + 1);
                if (!Character.isBmpCodePoint(code) || !Character.isSurrogate((char) code)) {
                    text.appendCodePoint(random.nextBoolean() ? code : code & 0x7f);
                }
            }
            assertEquals(
                    text.toString(), parsed(event(text.toString(), null)).path("message").asText());
        }
    }

    private static LoggingEvent event(
            String message, @Nullable Throwable failure, Object... arguments) {
        LoggingEvent event =
                new LoggingEvent(
                        "fqcn",
                        LOGGERS.getLogger("touchline.Some"),
                        Level.INFO,
                        message,
                        failure,
                        arguments);
        event.setInstant(Instant.parse("2026-11-23T08:09:10.011Z"));
        return event;
    }

    /** The line, which must be one. */
    private static JsonNode parsed(LoggingEvent event) throws IOException {
        String line = new String(JsonLine.of(event), StandardCharsets.UTF_8);
        assertTrue(line.endsWith("}\n"), line);
        String text = line.substring(0, line.length() - 1);
        assertEquals(1, text.lines().count(), "lines");
        assertTrue(text.chars().noneMatch(Character::isISOControl), "control characters");
        return JSON.readTree(text);
    }
}
