package touchline.api.scoreboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.OverlaySettings;
import touchline.api.domain.WatermarkSettings;
import touchline.media.hub.FrameTap;
import touchline.overlay.CanvasBox;

/** One session's program on a real hub, database and encoder; its pages are painted by the test. */
@Timeout(480)
final class SessionProgramIT {
    private static final WatermarkSettings HTML =
            new WatermarkSettings.Html("https://a.example/", 10, Optional.empty());
    private static final WatermarkSettings OTHER =
            new WatermarkSettings.Html("https://b.example/", 10, Optional.empty());

    @TempDir private Path folder;
    private ProgramFixture room;

    @BeforeEach
    void open() {
        room = new ProgramFixture(folder, /* maxCompositors= */ 1);
    }

    @AfterEach
    void close() {
        room.close();
    }

    @Test
    void withoutScoreboard_isTheSource() throws Exception {
        SessionProgram program = room.start(Optional.empty());
        room.publish(10);

        assertFalse(program.composited());
        assertEquals(room.sentTrack(), room.seenTracks().getFirst());
        assertEquals(1, room.slots().availablePermits());
    }

    @Test
    void withScoreboard_isComposedFromTheFirstFrameAndReported() throws Exception {
        SessionProgram program = room.start(Optional.of(HTML));
        room.publish(5);
        room.pages.paint();
        room.publish(5);

        assertTrue(program.composited());
        assertEquals(10, room.seenFrames());
        assertEquals(List.of("overlay.loaded"), room.events());
        assertFalse(room.seenTracks().contains(room.sentTrack()));
    }

    @Test
    void addressChanged_opensTheNewPageBesideTheOld() throws Exception {
        SessionProgram program = room.start(Optional.of(HTML));
        room.publish(3);
        room.pages.paint();
        room.store(Optional.of(OTHER));
        program.follow();

        assertEquals(2, room.pages.requests.size());
        assertEquals("https://b.example/", room.pages.requests.getLast().url());
        room.pages.fail("not found");
        room.pages.paint();
        assertEquals(
                List.of("overlay.loaded", "overlay.failed", "overlay.recovered"), room.events());
    }

    @Test
    void deletedAndPutAgain_keepsTheCompositor() throws Exception {
        SessionProgram program = room.start(Optional.of(HTML));
        room.publish(3);
        room.store(Optional.empty());
        program.follow();
        room.publish(3);
        assertTrue(program.compositor().isPresent());
        room.store(Optional.of(OTHER));
        program.follow();
        room.publish(3);

        assertEquals(1, room.seenTracks().size());
        assertEquals(9, room.seenFrames());
        assertEquals(2, room.pages.requests.size());
    }

    @Test
    void putWhileActive_joins() throws Exception {
        SessionProgram program = room.start(Optional.empty());
        room.publish(10);
        boolean[] composited = {false};
        program.watch(FrameTap.NONE, runs -> composited[0] = runs);
        room.store(Optional.of(HTML));
        program.follow();
        while (room.seenTracks().size() < 2) {
            room.publish(1);
        }

        assertTrue(composited[0]);
        assertFalse(program.composited(), "its first segments are the source's");
        assertEquals(0, room.slots().availablePermits());
    }

    @Test
    @Timeout(480)
    void browserThatHangs_delaysNeitherMediaNorTheEnd_andTheScoreboardJoinsLater()
            throws Exception {
        CountDownLatch hung = room.pages.hang();
        SessionProgram program = room.start(Optional.of(HTML));
        room.publish(10);

        assertFalse(program.composited());
        assertEquals(room.sentTrack(), room.seenTracks().getFirst());
        assertTrue(program.compositor().isEmpty());

        hung.countDown();
        while (room.seenTracks().size() < 2) {
            room.publish(1);
        }
        assertTrue(program.compositor().isPresent());
        assertEquals(List.of("https://a.example/"), room.pages.urls());
    }

    @Test
    @Timeout(480)
    void browserThatHangs_doesNotHoldUpTheEndOfTheSession() throws Exception {
        SessionProgram program = room.start(Optional.empty());
        room.publish(3);
        CountDownLatch hung = room.pages.hang();
        room.store(Optional.of(HTML));
        Thread following = Thread.ofVirtual().start(program::follow);
        room.pages.awaitQuestion();

        program.close();

        hung.countDown();
        following.join();
        assertEquals(1, room.slots().availablePermits());
        assertEquals(List.of(), room.pages.urls());
    }

    @Test
    void noSlotLeft_passesTheSourceOnAndSaysSo() throws Exception {
        room.slots().acquire();
        SessionProgram program = room.start(Optional.of(HTML));
        room.publish(5);

        assertFalse(program.composited());
        assertEquals(room.sentTrack(), room.seenTracks().getFirst());
        assertEquals(List.of("overlay.failed"), room.events());
    }

    @Test
    void sessionEnd_endsTheProgramAndFreesTheSlot() throws Exception {
        SessionProgram program = room.start(Optional.of(HTML));
        room.publish(5);
        room.end();
        program.close();

        assertEquals(5, room.seenFrames());
        assertEquals(1, room.slots().availablePermits());
        assertTrue(room.pages.closed.get() > 0);
    }

    @Test
    void settings_becomeTheCompositorsWords() {
        OverlaySettings look =
                new OverlaySettings(
                        Optional.of("30%"),
                        Optional.empty(),
                        Optional.of("bottom"),
                        Optional.of("center"),
                        Optional.of("80%"),
                        Optional.of("5%"),
                        Optional.empty());
        var spec =
                OverlaySpecs.of(
                        new WatermarkSettings.Html("https://a.example/", 7, Optional.of(look)));

        assertEquals(80, spec.placement().opacityPercent());
        assertEquals(new CanvasBox(448, 468, 384, 216), spec.placement().pageBox(1280, 720));
    }

    @Test
    void compositorThatFailsAfterAHealthyMinute_isRestartedAfterTheFirstPause() throws Exception {
        SessionProgram program = room.start(Optional.of(HTML));
        Duration first = Duration.ofSeconds(5);
        assertTrue(program.nextPauseNs() <= first.toNanos());
        assertTrue(program.nextPauseNs() > first.toNanos());
        assertTrue(program.nextPauseNs() > first.toNanos());

        room.clock.advance(Duration.ofSeconds(61));

        assertTrue(program.nextPauseNs() <= first.toNanos());
    }
}
