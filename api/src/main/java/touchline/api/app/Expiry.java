package touchline.api.app;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the expiry of a token. */
final class Expiry {
    private static final Pattern SPAN = Pattern.compile("(\\d{1,5})([dh])");

    private Expiry() {}

    /**
     * A span from now, a day (its first instant in UTC) or an instant.
     *
     * @throws CommandException on anything else
     */
    static Instant parse(String text, Clock clock) {
        Matcher span = SPAN.matcher(text);
        if (span.matches()) {
            int amount = Integer.parseInt(span.group(1));
            return clock.instant()
                    .plus(
                            span.group(2).equals("d")
                                    ? Duration.ofDays(amount)
                                    : Duration.ofHours(amount));
        }
        try {
            return text.contains("T")
                    ? Instant.parse(text)
                    : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeException e) {
            throw new CommandException(
                    "--expires: %s (expected: 30d, 12h, 2027-01-31 or 2027-01-31T12:00:00Z)"
                            .formatted(text),
                    e);
        }
    }
}
