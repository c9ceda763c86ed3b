package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With which frame and which audio unit a switch continues the programme. */
final class FailoverSpliceTest {
    /** B-frames, and by how much the backup's content arrives later. */
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0, 417",
        "0, 3011",
        "0, 6990",
        "0, -420",
        "0, -3007",
        "0, -6950",
        "2, 0",
        "2, 1500",
        "2, -1500"
    })
    void primaryKilled_aligned_noFrameIsLeftOutOrShownTwice(int bFrames, long delayMs)
            throws InterruptedException {
        TwoEncoders match = new TwoEncoders(bFrames, delayMs);
        match.primary.connect(0);
        match.run(10.7);
        match.backup.connect(5_000_000);
        match.run(25.3);

        match.primary.disconnect();
        match.run(20);

        match.events.remove("warning b_frames");
        assertEquals(List.of("started", "connected", "source backup encoder_lost"), match.events);
        SourceChange change = match.changes.getFirst();
        assertTrue(change.aligned());
        assertTrue(Math.abs(change.gapMs()) <= 17, "gap " + change.gapMs());
        assertConsecutive(match.shownFrames(), 0);
        assertConsecutive(match.heardAudio(), 1);
        assertTrue(match.mostAudioGapUs() < 45_000, "audio gap " + match.mostAudioGapUs());
        LiveStreamsTest.assertRising(match.items());
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 3011", "0, -3007", "2, 0", "2, 1500", "2, -1500"})
    void primaryKilled_withAnEncoder_everyFrameIsThereOnce(int bFrames, long delayMs)
            throws InterruptedException {
        TwoEncoders match = new TwoEncoders(bFrames, delayMs);
        match.encodes = true;
        match.primary.connect(0);
        match.run(10.7);
        match.backup.connect(5_000_000);
        match.run(25.3);
        match.primary.disconnect();
        match.run(20);

        assertEquals(1, match.changes.size());
        assertConsecutive(match.decodedFrames(), 0);
        assertConsecutive(match.heardAudio(), 1);
        assertTrue(match.mostAudioGapUs() < 12_000, "audio gap " + match.mostAudioGapUs());
        LiveStreamsTest.assertRising(match.items());
    }

    /**
     * The place of the audio units against the frames is another one with each delay: none starts
     * before its timeline, and is left out for that.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
    void primaryKilled_withAnEncoder_audioHasNoGap(int step) throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 1_500 + step * 7L, 1_000 - step * 64);
        match.encodes = true;
        match.primary.connect(0);
        match.run(2.1 + step * 0.131);
        match.backup.connect(5_000_000);
        match.run(6.3);
        match.primary.disconnect();
        match.run(8);

        assertEquals(1, match.changes.size());
        assertTrue(match.mostAudioGapUs() < 3_000, "audio gap " + match.mostAudioGapUs());
    }

    @Test
    void byHand_forthAndBackAtOnce_everyFrameIsThere() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 400);
        match.encodes = true;
        match.primary.connect(0);
        match.run(1);
        match.backup.connect(70_000);
        match.run(12);
        for (int time = 0; time < 10; time++) {
            PublishSource next = time % 2 == 0 ? PublishSource.BACKUP : PublishSource.PRIMARY;
            assertTrue(match.choose(Optional.of(next)));
            for (int step = 0; match.sources().shown() != next; step++) {
                assertTrue(step < 1_000, "not shown: " + next);
                match.run(0.005);
            }
        }
        match.run(3);

        assertEquals(10, match.changes.size());
        assertTrue(match.changes.stream().allMatch(SourceChange::aligned));
        assertConsecutive(match.decodedFrames(), 0);
        assertConsecutive(match.heardAudio(), 1);
    }

    /** Numbers that follow each other, but for this much at each step. */
    static void assertConsecutive(List<Long> numbers, int tolerance) {
        assertTrue(numbers.size() > 300, numbers.size() + " numbers");
        for (int i = 1; i < numbers.size(); i++) {
            long step = numbers.get(i) - numbers.get(i - 1);
            assertTrue(
                    Math.abs(step - 1) <= tolerance,
                    "after " + numbers.get(i - 1) + " comes " + numbers.get(i));
        }
    }
}
