package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AccessLogTest {
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        root.setLevel(Level.DEBUG);
        lines.start();
        root.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        root.detachAppender(lines);
        root.setLevel(before);
    }

    private List<String> messages() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
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
                messages().stream().filter(line -> line.startsWith("viewer=")).toList());
        assertFalse(messages().stream().anyMatch(line -> line.contains("SECRET")));
        viewer.leavesNothing(bench.memory, bench.session);
    }
}
