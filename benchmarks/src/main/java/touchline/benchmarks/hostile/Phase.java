package touchline.benchmarks.hostile;

import java.util.Locale;

/** What happens beside the publishers and viewers. */
enum Phase {
    /** Before and between the others; its requests do not count. */
    START,
    ALONE,
    ATTACKED,
    QUIET;

    String shown() {
        return name().toLowerCase(Locale.ROOT);
    }
}
