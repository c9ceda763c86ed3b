package touchline.api.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.spi.LoggingEvent;
import org.junit.jupiter.api.Test;

final class LogSanitizerTest {
    @Test
    void message_withControlCharacters_staysOnOneLine() {
        assertEquals(
                "app=live\\u000a2026 INFO forged\\u001b[2J",
                converted("app=live\n2026 INFO forged\u001b[2J"));
    }

    @Test
    void message_plain_isUnchanged() {
        assertEquals("stream=a title=Tor für Köln", converted("stream=a title=Tor für Köln"));
    }

    private static String converted(String message) {
        LoggingEvent event = new LoggingEvent();
        event.setMessage(message);
        return new LogSanitizer().convert(event);
    }
}
