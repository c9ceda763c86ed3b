package touchline.api.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.DatabaseException;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.DetectStatus;
import touchline.api.domain.SampledFrame;
import touchline.moderation.AlertType;

/** When the scores of sampled frames are stored, and what is kept while they are not. */
final class ScoreBufferTest {
    @TempDir private Path folder;

    private ModerationRig rig;
    private ScoreBuffer buffer;
    private RunningAudit run;

    @BeforeEach
    void open() {
        rig = new ModerationRig(folder);
        buffer = new ScoreBuffer(rig.frames);
        run =
                new RunningAudit(
                        new AuditContext(
                                rig.stream.id(),
                                ModerationRig.SESSION,
                                "default",
                                "Cup final",
                                ModerationRig.NOW),
                        rig.runs,
                        new AuditSettings(
                                1,
                                1,
                                new LinkedHashMap<>(Map.of("nude", 0.5)),
                                AuditSettings.OnReject.NONE,
                                false),
                        () -> rig.now);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private static SampledFrame frame(int number) {
        return new SampledFrame(
                ModerationRig.NOW.plusMillis(number),
                40,
                DetectStatus.PASS,
                Map.of(AlertType.NUDE, 0.25f));
    }

    private static List<SampledFrame> frames(int from, int to) {
        return IntStream.range(from, to).mapToObj(ScoreBufferTest::frame).toList();
    }

    private void add(int from, int to) {
        frames(from, to).forEach(frame -> buffer.add(run, frame));
    }

    @Test
    void frames_areStoredByTheFlush_inOrder() {
        add(0, 150);
        assertEquals(List.of(), rig.sampled());
        assertEquals(150, buffer.waiting());

        buffer.flush();
        add(150, 160);
        buffer.flush();

        assertEquals(frames(0, 160), rig.sampled());
        assertEquals(0, buffer.waiting());
    }

    @Test
    void whileTheDatabaseFails_framesWait_andNoneIsStoredTwice() throws Exception {
        add(0, 70);
        buffer.flush();
        rig.breakDatabase();
        add(70, 80);
        assertThrows(DatabaseException.class, buffer::flush);
        add(80, 200);
        assertThrows(DatabaseException.class, buffer::flush);

        rig.mendDatabase();
        buffer.flush();
        buffer.flush();

        assertEquals(frames(0, 200), rig.sampled());
        assertEquals(0, buffer.lost());
    }

    @Test
    void beyondTheLimit_theOldestAreDroppedAndCounted() {
        add(0, ScoreBuffer.MOST_WAITING + 5);

        assertEquals(5, buffer.lost());
        buffer.flush();
        assertEquals(frames(5, ScoreBuffer.MOST_WAITING + 5), rig.sampled());
    }

    @Test
    void close_storesWhatWaits_andTakesNothingMore() {
        buffer.start();
        add(0, 3);
        buffer.close();
        add(3, 5);
        buffer.flush();

        assertEquals(frames(0, 3), rig.sampled());
        assertEquals(0, buffer.lost());
    }

    @Test
    void close_whileTheDatabaseFails_countsWhatIsLost() throws Exception {
        add(0, 3);
        rig.breakDatabase();
        assertThrows(DatabaseException.class, buffer::flush);
        add(3, 5);
        buffer.close();

        assertEquals(5, buffer.lost());
        rig.mendDatabase();
    }
}
