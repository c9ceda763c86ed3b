package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import touchline.testing.LogLines;

class AccessLogTest {
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();
    private final LogLines lines = LogLines.ofAll();

    @BeforeEach
    void listen() {
        root.setLevel(Level.DEBUG);
    }

    @AfterEach
    void stopListening() {
        lines.close();
        root.setLevel(before);
    }

    @Test
    void answers_tokensGrantsAndForeignPaths_areNotLogged() {
        SessionBench bench = new SessionBench();
        Viewer viewer = new Viewer(Viewer.deciding(bench.restricted));
        viewer.get("/id.m3u8?token=SECRET");
        viewer.get("/id/~SECRET/ses/s7.1.m4s?token=SECRET");
        viewer.get("/SECRET%0d%0aforged");
        viewer.get("/id.m3u8?_HLS_msn=SECRET");
        viewer.get("/" + "SECRET".repeat(4000));
        assertEquals(
                List.of(
                        "viewer=127.0.0.1 playback_id=id item=Multivariant[] status=200 bytes=36",
                        "viewer=127.0.0.1 playback_id=id item=Part[session=ses, mediaSequence=7,"
                                + " part=1] status=200 bytes=8",
                        "viewer=127.0.0.1 playback_id=- item=- status=404 bytes=100",
                        "viewer=127.0.0.1 playback_id=id item=Multivariant[] status=400 bytes=130",
                        "viewer=127.0.0.1 playback_id=- item=- status=414 bytes=122"),
                lines.texts().stream().filter(line -> line.startsWith("viewer=")).toList());
        assertFalse(lines.texts().stream().anyMatch(line -> line.contains("SECRET")));
        viewer.leavesNothing(bench.memory, bench.session);
    }
}
