package touchline.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.LoggerFactory;

/** What is logged from its making until it is closed, by one logger and those below. Any thread. */
public final class LogLines implements AutoCloseable {
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final AtomicReference<Runnable> onFirst;
    private final AppenderBase<ILoggingEvent> appender =
            new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    // Takes the context of the logging thread, as the queue of the server does.
                    event.prepareForDeferredProcessing();
                    events.add(event);
                    onFirst.getAndSet(() -> {}).run();
                }
            };

    private LogLines(String name, Runnable onFirst) {
        this.onFirst = new AtomicReference<>(onFirst);
        logger = (Logger) LoggerFactory.getLogger(name);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    public static LogLines of(String logger) {
        return new LogLines(logger, () -> {});
    }

    public static LogLines of(Class<?> logger) {
        return of(logger.getName());
    }

    /**
     * @param onFirst runs on the thread that logs the first line, before it goes on
     */
    public static LogLines of(Class<?> logger, Runnable onFirst) {
        return new LogLines(logger.getName(), onFirst);
    }

    public static LogLines ofAll() {
        return of(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    /** So far, oldest first. */
    public List<ILoggingEvent> events() {
        return List.copyOf(events);
    }

    /** Their messages alone. */
    public List<String> texts() {
        return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        appender.stop();
    }
}
