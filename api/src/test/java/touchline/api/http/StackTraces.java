package touchline.api.http;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import touchline.testing.LogLines;

/** Collects the log lines with a stack trace, the web server's too, until it is closed. */
final class StackTraces implements AutoCloseable {
    private final LogLines ours = LogLines.ofAll();
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
        webServer.addHandler(handler);
    }

    /** Message and exception of each. */
    List<String> found() {
        List<String> found = new ArrayList<>(ofWebServer);
        for (ILoggingEvent line : ours.events()) {
            if (line.getThrowableProxy() != null) {
                found.add(
                        line.getFormattedMessage()
                                + ": "
                                + line.getThrowableProxy().getClassName());
            }
        }
        return found;
    }

    @Override
    public void close() {
        webServer.removeHandler(handler);
        ours.close();
    }
}
