package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many switches in a row: what one leaves behind does not spoil the next. */
final class FailoverSequenceTest {
    private static final int SWITCHES = 9;

    /** What the other encoder has to hold again when one is back. */
    private static final double BACK_S = 11;

    /** By how much the backup's content arrives later. */
    @ParameterizedTest
    @CsvSource({"400, 1", "2500, 2", "7000, 3", "7000, 4", "-7000, 5"})
    void killStallAndHandInTurns_everyFrameIsThereOnce(long delayMs, long seed)
            throws InterruptedException {
        Random random = new Random(seed);
        TwoEncoders match = new TwoEncoders(0, 2, delayMs + random.nextInt(40), 0);
        match.settings = new FailoverSettings(Duration.ofMillis(500), Duration.ZERO);
        match.encodes = true;
        match.primary.connect(0);
        match.run(9);
        match.backup.connect(0);
        match.run(9);
        for (int time = 0; time < SWITCHES; time++) {
            boolean killed = time % 3 == 0;
            lose(match, time);
            match.run((killed ? BACK_S : 2) + random.nextDouble());
        }

        assertEquals(SWITCHES, match.changes.size());
        assertTrue(match.changes.stream().allMatch(SourceChange::aligned));
        FailoverSpliceTest.assertConsecutive(match.decodedFrames(), 0);
        FailoverSpliceTest.assertConsecutive(match.heardAudio(), 1);
    }

    /** Returns when the other one is shown, and this one sends again. */
    private static void lose(TwoEncoders match, int time) throws InterruptedException {
        PublishSource shown = match.sources().shown();
        boolean ofPrimary = shown == PublishSource.PRIMARY;
        TwoEncoders.Encoder encoder = ofPrimary ? match.primary : match.backup;
        switch (time % 3) {
            case 0 -> encoder.disconnect();
            case 1 -> encoder.stalled = true;
            default -> assertTrue(match.choose(Optional.of(shown.other())));
        }
        List<SourceChange> before = new ArrayList<>(match.changes);
        for (int step = 0; match.changes.size() == before.size(); step++) {
            assertTrue(step < 3_000, "not shown: " + shown.other());
            match.run(0.005);
        }
        switch (time % 3) {
            case 0 -> encoder.connect(match.nowMs());
            case 1 -> encoder.stalled = false;
            default -> {}
        }
    }
}
