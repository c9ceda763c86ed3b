package touchline.api.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import touchline.testing.LogLines;

/** The lines of this process's log as JSON, until it is closed. Any thread. */
public final class LoggedLines implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final LogLines log = LogLines.ofAll();

    /** The lines so far; each is one whole JSON object. */
    public List<JsonNode> lines() {
        List<JsonNode> lines = new ArrayList<>();
        for (ILoggingEvent event : log.events()) {
            String line = new String(JsonLine.of(event), StandardCharsets.UTF_8);
            if (line.indexOf('\n') != line.length() - 1) {
                throw new AssertionError("not one line: " + line);
            }
            try {
                lines.add(JSON.readTree(line));
            } catch (IOException e) {
                throw new UncheckedIOException(line, e);
            }
        }
        return lines;
    }

    @Override
    public void close() {
        log.close();
    }
}
