package touchline.api.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;

/**
 * Fields that messages of this house carry, as in {@code "stream={} session={} …"}. The value is
 * the argument of the call, found by the pattern: text that a client has sent cannot forge it.
 */
final class MessageFields {
    private static final String PLACE = "{}";

    private MessageFields() {}

    /** The argument behind {@code name=} in the pattern of a message; empty where it has none. */
    static String value(ILoggingEvent event, String name) {
        String pattern = event.getMessage();
        Object[] arguments = event.getArgumentArray();
        if (pattern == null || arguments == null) {
            return "";
        }
        String field = name + "=" + PLACE;
        int at = pattern.indexOf(field);
        while (at > 0 && pattern.charAt(at - 1) != ' ') {
            at = pattern.indexOf(field, at + 1);
        }
        if (at < 0) {
            return "";
        }
        int index = places(pattern, at);
        return index < arguments.length ? String.valueOf(arguments[index]) : "";
    }

    /** Places for arguments before a position. */
    private static int places(String pattern, int end) {
        int count = 0;
        int at = pattern.indexOf(PLACE);
        while (at >= 0 && at < end) {
            count++;
            at = pattern.indexOf(PLACE, at + PLACE.length());
        }
        return count;
    }
}
