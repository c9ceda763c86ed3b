package touchline.api.app;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Operates the demo's scoreboard through the server's API, as the console does: names and clock at
 * the start, then goals, then a new match. One virtual thread.
 */
final class DemoOperator implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DemoOperator.class);
    private static final Duration FIRST_GOAL = Duration.ofSeconds(20);
    private static final Duration BETWEEN_GOALS = Duration.ofSeconds(75);

    /** Team and scorer, in order. */
    private static final List<List<String>> GOALS =
            List.of(
                    List.of("home", "9 Keller"),
                    List.of("away", "10 Okafor"),
                    List.of("home", "7 Lindqvist"),
                    List.of("home", "9 Keller"),
                    List.of("away", "4 Moreau"));

    private final ApiClient client;
    private final String path;
    private final Thread thread;

    private DemoOperator(ApiClient client, String path) {
        this.client = client;
        this.path = path;
        this.thread = Thread.ofVirtual().name("demo-operator").unstarted(this::run);
    }

    /** Starts the thread; the caller closes it. */
    static DemoOperator start(URI api, String secret, String streamId) {
        DemoOperator operator =
                new DemoOperator(
                        new ApiClient(api, secret),
                        "/live/v1/live-streams/" + streamId + "/scoreboard");
        operator.thread.start();
        return operator;
    }

    @Override
    public void close() {
        thread.interrupt();
        client.close();
    }

    private void run() {
        try {
            while (true) {
                client.put(path, kickOff());
                Thread.sleep(FIRST_GOAL);
                for (List<String> goal : GOALS) {
                    client.post(
                            path + "/goals",
                            JsonNodeFactory.instance
                                    .objectNode()
                                    .put("team", goal.getFirst())
                                    .put("scorer", goal.getLast()));
                    Thread.sleep(BETWEEN_GOALS);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (CommandException e) {
            log.debug("the demo's scoreboard is not updated any more: {}", e.getMessage());
        }
    }

    private static ObjectNode kickOff() {
        ObjectNode board = JsonNodeFactory.instance.objectNode().put("period", "1st half");
        board.putObject("home")
                .put("name", "Riverside")
                .put("short_name", "RIV")
                .put("color", "#c8202c")
                .put("score", 0);
        board.putObject("away")
                .put("name", "Harbour City")
                .put("short_name", "HBC")
                .put("color", "#2b4aa8")
                .put("score", 0);
        board.putObject("clock").put("running", true).put("elapsed_ms", 0);
        return board;
    }
}
