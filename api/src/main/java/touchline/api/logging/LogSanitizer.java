package touchline.api.logging;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/**
 * Keeps a log message on one line. Control characters, which may come from a client, are written as
 * {@code \\u000a}: so they cannot forge a log line or move a terminal's cursor.
 */
public final class LogSanitizer extends MessageConverter {
    /** The pattern in logback.xml names this class. */
    public LogSanitizer() {}

    @Override
    public String convert(ILoggingEvent event) {
        String message = super.convert(event);
        if (message == null) {
            return "";
        }
        for (int i = 0; i < message.length(); i++) {
            if (Character.isISOControl(message.charAt(i))) {
                return escaped(message);
            }
        }
        return message;
    }

    private static String escaped(String message) {
        StringBuilder line = new StringBuilder(message.length() + 16);
        for (int i = 0; i < message.length(); i++) {
            char character = message.charAt(i);
            if (Character.isISOControl(character)) {
                line.append("\\u%04x".formatted((int) character));
            } else {
                line.append(character);
            }
        }
        return line.toString();
    }
}
