package touchline.api.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import touchline.config.LogConfig;

/** The log of this JVM. */
final class ServerLogTest {
    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();

    @AfterEach
    void restore() {
        ServerLog.apply(LogConfig.DEFAULT);
    }

    @Test
    void level_reachesOurLines_butLibrariesStayAtInfo() {
        ServerLog.apply(new LogConfig(LogConfig.Format.TEXT, LogConfig.Level.TRACE));

        assertEquals(Level.TRACE, context.getLogger("touchline.media").getEffectiveLevel());
        assertEquals(Level.INFO, context.getLogger("org.apache.hc").getEffectiveLevel());
        assertEquals(Level.WARN, context.getLogger("io.netty").getEffectiveLevel());
    }

    @Test
    void lowLevel_quietensLibrariesToo() {
        ServerLog.apply(new LogConfig(LogConfig.Format.TEXT, LogConfig.Level.ERROR));

        assertEquals(Level.ERROR, context.getLogger("touchline.media").getEffectiveLevel());
        assertEquals(Level.ERROR, context.getLogger("org.apache.hc").getEffectiveLevel());
    }
}
