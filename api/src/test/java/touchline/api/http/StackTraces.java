package touchline.api.http;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.slf4j.LoggerFactory;

/** Collects the log lines with a stack trace, the web server's too, until it is closed. */
final class StackTraces implements AutoCloseable {
    private final ListAppender<ILoggingEvent> ours = new ListAppender<>();
    private final List<String> ofWebServer = new CopyOnWriteArrayList<>();
    private final java.util.logging.Logger webServer =
            java.util.logging.Logger.getLogger("io.helidon");
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord line) {
                    if (line.getThrown() != null) {
                        ofWebServer.add(line.getMessage() + ": " + line.getThrown());
                    }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    StackTraces() {
        ours.start();
        root().addAppender(ours);
        webServer.addHandler(handler);
    }

    /** Message and exception of each. */
    List<String> found() {
        List<String> found = new ArrayList<>(ofWebServer);
        for (ILoggingEvent line : List.copyOf(ours.list)) {
            if (line.getThrowableProxy() != null) {
                found.add(
                        line.getFormattedMessage()
                                + ": "
                                + line.getThrowableProxy().getClassName());
            }
        }
        return found;
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @Override
    public void close() {
        webServer.removeHandler(handler);
        root().detachAppender(ours);
    }
}
