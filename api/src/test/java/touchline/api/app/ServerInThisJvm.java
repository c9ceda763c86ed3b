package touchline.api.app;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import touchline.config.ConfigLoader;
import touchline.testing.LogLines;

/** A server in the JVM of the test. */
final class ServerInThisJvm implements ServerLife {
    private final LogLines log = LogLines.ofAll();
    private final Server server;
    private boolean running = true;

    /**
     * Starts it; then it serves.
     *
     * @param environment its variables
     */
    ServerInThisJvm(Map<String, String> environment) {
        try {
            server =
                    Server.start(
                            new ConfigLoader(environment, Path.of("."))
                                    .source(Optional.empty())
                                    .load(),
                            Start.USUAL.with(new TestWorkers()));
        } catch (RuntimeException e) {
            log.close();
            throw e;
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public void stop() {
        running = false;
        server.close();
    }

    /** Other servers in this JVM write to the same log. */
    @Override
    public String output() {
        return String.join("\n", log.texts());
    }

    @Override
    public void close() {
        try (log) {
            if (running) {
                stop();
            }
        }
    }
}
