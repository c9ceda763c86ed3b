package touchline.api.logging;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import touchline.config.LogConfig;

/**
 * Writes each event of the log in one of two formats: the pattern of {@code logback.xml}, or one
 * JSON object a line. The format may change while the server runs. One thread encodes; any thread
 * selects the format.
 */
public final class LineEncoder extends PatternLayoutEncoder {
    private volatile boolean json;

    /** {@code logback.xml} names this class. */
    public LineEncoder() {}

    /**
     * Set by {@code logback.xml} from the environment, for lines before the configuration is read.
     *
     * @param name json; everything else is text, and the configuration rejects it
     */
    public void setFormat(String name) {
        json = name.strip().equals("json");
    }

    void select(LogConfig.Format format) {
        json = format == LogConfig.Format.JSON;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return json ? JsonLine.of(event) : super.encode(event);
    }
}
