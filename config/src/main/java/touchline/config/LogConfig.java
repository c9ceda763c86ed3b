package touchline.config;

import java.util.Locale;

/** {@code log}: format and level of the lines on standard output. */
public record LogConfig(Format format, Level level) {
    /** The defaults of {@code application.yaml}. */
    public static final LogConfig DEFAULT = new LogConfig(Format.TEXT, Level.INFO);

    /** Form of a line. */
    public enum Format {
        /** For people. */
        TEXT,
        /** One JSON object a line, for log collectors. */
        JSON;

        static Format of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }

    /** Least severity of lines that are written. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE;

        static Level of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }
}
