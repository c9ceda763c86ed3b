package touchline.api.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import touchline.media.concurrent.LogContext;

/**
 * One event of the log as one JSON object (RFC 8259) and a line feed, in UTF-8. The members are
 * {@code time} (UTC), {@code level}, {@code logger}, {@code message}, and where they are known
 * {@code stream}, {@code session}, {@code request_id} and {@code stack}.
 *
 * <p>No text breaks the line: control characters are escaped, and half a surrogate pair becomes
 * U+FFFD. Any thread.
 */
final class JsonLine {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final char FIRST_PLAIN = 0x20;
    private static final char DELETE = 0x7f;
    private static final char LAST_C1 = 0x9f;

    /** Line and paragraph separator: JSON allows them, some readers of lines end a line there. */
    private static final char LINE_SEPARATOR = 0x2028;

    private static final char PARAGRAPH_SEPARATOR = 0x2029;
    private static final char REPLACEMENT = 0xfffd;

    private final StringBuilder line = new StringBuilder(256);

    private JsonLine() {}

    static byte[] of(ILoggingEvent event) {
        return new JsonLine().with(event).getBytes(StandardCharsets.UTF_8);
    }

    private String with(ILoggingEvent event) {
        line.append('{');
        member("time", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
        member("level", event.getLevel().toString());
        member("logger", event.getLoggerName());
        member("message", event.getFormattedMessage());
        Map<String, String> context = event.getMDCPropertyMap();
        known(LogContext.STREAM, MessageFields.value(event, LogContext.STREAM), context);
        known(LogContext.SESSION, MessageFields.value(event, LogContext.SESSION), context);
        known(LogContext.REQUEST_ID, "", context);
        if (event.getThrowableProxy() != null) {
            member("stack", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return line.append("}\n").toString();
    }

    /** What the message says of itself counts more than the context of its thread. */
    private void known(String name, String ofMessage, Map<String, String> context) {
        String value = ofMessage.isEmpty() ? context.getOrDefault(name, "") : ofMessage;
        if (!value.isEmpty()) {
            member(name, value);
        }
    }

    private void member(String name, String value) {
        if (line.length() > 1) {
            line.append(',');
        }
        line.append('"').append(name).append("\":\"");
        // Logback passes null for a message that is null.
        String text = String.valueOf(value);
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (Character.isHighSurrogate(character)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                line.append(character).append(text.charAt(++i));
            } else {
                append(character);
            }
        }
        line.append('"');
    }

    private void append(char character) {
        switch (character) {
            case '"', '\\' -> line.append('\\').append(character);
            case '\n' -> line.append("\\n");
            case '\r' -> line.append("\\r");
            case '\t' -> line.append("\\t");
            default -> {
                if (Character.isSurrogate(character)) {
                    line.append(REPLACEMENT);
                } else if (isEscaped(character)) {
                    line.append("\\u%04x".formatted((int) character));
                } else {
                    line.append(character);
                }
            }
        }
    }

    private static boolean isEscaped(char character) {
        return character < FIRST_PLAIN
                || (character >= DELETE && character <= LAST_C1)
                || character == LINE_SEPARATOR
                || character == PARAGRAPH_SEPARATOR;
    }
}
