package touchline.benchmarks.players;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Report;

/**
 * {@code ./touchline bench players} in short, with all browser players at the same time: live
 * through a return of the encoder, and from the session's start.
 */
class PlayersLoadIT {
    private static final String SECONDS = "6";

    private static final String BEFORE_S = "8";

    /** Other tests run on the same cores. */
    private static final String SLACK_S = "6";

    @TempDir private Path results;

    @Test
    void browserPlayers_throughAReturnAndRewound_playOn() throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        Report report = new Report("players", out, results);
        Arguments given =
                new Arguments(
                        List.of(
                                SECONDS,
                                "--players",
                                "hls,shaka,videojs",
                                "--scenarios",
                                "reconnect,growing",
                                "--together",
                                "1",
                                "--before-s",
                                BEFORE_S,
                                "--slack-s",
                                SLACK_S));

        int exit = new PlayersLoad(given, report).run();

        report.finish();
        assertEquals(0, exit, () -> output.toString(StandardCharsets.UTF_8));
    }
}
