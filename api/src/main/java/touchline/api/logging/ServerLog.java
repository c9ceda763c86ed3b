package touchline.api.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.spi.AppenderAttachable;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.LogConfig;

/** Applies {@code log.level} and {@code log.format} to the process, at once. Any thread. */
public final class ServerLog {
    private static final String OURS = "touchline";

    private ServerLog() {}

    /**
     * Libraries log less than this server, never more than INFO: below it they write requests with
     * their secrets. Those with a level of their own in {@code logback.xml} keep it.
     */
    public static void apply(LogConfig config) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            Level level = Level.toLevel(config.level().name());
            context.getLogger(OURS).setLevel(level);
            ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
            root.setLevel(level.isGreaterOrEqual(Level.INFO) ? level : Level.INFO);
            select(root, config.format());
        }
    }

    private static void select(AppenderAttachable<ILoggingEvent> holder, LogConfig.Format format) {
        for (Iterator<Appender<ILoggingEvent>> all = holder.iteratorForAppenders();
                all.hasNext(); ) {
            Appender<ILoggingEvent> appender = all.next();
            if (appender instanceof OutputStreamAppender<ILoggingEvent> output
                    && output.getEncoder() instanceof LineEncoder encoder) {
                encoder.select(format);
            }
            if (appender instanceof ch.qos.logback.classic.AsyncAppender queue) {
                select(queue, format);
            }
        }
    }
}
