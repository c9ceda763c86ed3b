package touchline.api.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lines of this process's log as JSON, until it is closed. Any thread. */
public final class LoggedLines implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender =
            new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    // Takes the context of the logging thread, as the queue of the server does.
                    event.prepareForDeferredProcessing();
                    events.add(event);
                }
            };

    public LoggedLines() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        appender.setContext(context);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    }

    /** The lines so far; each is one whole JSON object. */
    public List<JsonNode> lines() {
        List<JsonNode> lines = new ArrayList<>();
        for (ILoggingEvent event : events) {
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
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.getLogger(Logger.ROOT_LOGGER_NAME).detachAppender(appender);
        appender.stop();
    }
}
