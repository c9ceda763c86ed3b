package touchline.api.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AsyncAppenderBase;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import touchline.config.LogConfig;

/** The shipped {@code logback.xml}. */
final class LineEncoderTest {
    private final LoggerContext context = new LoggerContext();

    @BeforeEach
    void start() {
        context.setMDCAdapter(new LogbackMDCAdapter());
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void format_isTextUntilJsonIsSelected_andBack() throws Exception {
        LineEncoder encoder = encoder();
        LoggingEvent event =
                new LoggingEvent(
                        "fqcn",
                        context.getLogger("touchline.Some"),
                        Level.WARN,
                        "a {}",
                        null,
                        new Object[] {"b"});

        assertTrue(text(encoder, event).endsWith("WARN  Some a b\n"), text(encoder, event));
        encoder.select(LogConfig.Format.JSON);
        assertTrue(text(encoder, event).startsWith("{\"time\":\""), text(encoder, event));
        encoder.select(LogConfig.Format.TEXT);
        assertTrue(text(encoder, event).endsWith("WARN  Some a b\n"), text(encoder, event));
    }

    @Test
    void environment_selectsJsonBeforeTheConfigurationIsRead() throws Exception {
        context.putProperty("TOUCHLINE_LOG_FORMAT", "json");
        context.putProperty("TOUCHLINE_LOG_LEVEL", "debug");
        LineEncoder encoder = encoder();
        LoggingEvent event =
                new LoggingEvent(
                        "fqcn", context.getLogger("touchline"), Level.INFO, "a", null, null);

        assertTrue(text(encoder, event).startsWith("{"), text(encoder, event));
        assertEquals(Level.DEBUG, context.getLogger("touchline.api").getEffectiveLevel());
        assertEquals(Level.INFO, context.getLogger("org.apache.hc").getEffectiveLevel());
    }

    private LineEncoder encoder() throws Exception {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(LineEncoderTest.class.getResource("/logback.xml"));
        AsyncAppenderBase<ILoggingEvent> queue =
                (AsyncAppenderBase<ILoggingEvent>)
                        context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("queue");
        ConsoleAppender<ILoggingEvent> output =
                (ConsoleAppender<ILoggingEvent>) queue.getAppender("stdout");
        return (LineEncoder) output.getEncoder();
    }

    private static String text(LineEncoder encoder, LoggingEvent event) {
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }
}
