package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import touchline.testing.SyntheticStream;

/** A publication that may continue the programme is not disturbed until it has done so. */
final class FailoverEnteringTest {
    @Test
    void entering_chosenOtherMeanwhile_everyFrameIsThere() throws InterruptedException {
        TwoEncoders match = aligned(-7_000);
        assertTrue(match.choose(Optional.of(PublishSource.BACKUP)));
        match.whileSelecting(
                () -> {
                    assertTrue(match.choose(Optional.of(PublishSource.PRIMARY)));
                    match.clock.advance(Duration.ofMillis(40));
                    match.primary.send();
                });
        match.run(12);
        assertEquals(PublishSource.PRIMARY, match.sources().shown());

        match.primary.disconnect();
        match.run(4);

        assertEquals(
                List.of(PublishSource.BACKUP, PublishSource.PRIMARY, PublishSource.BACKUP),
                match.changes.stream().map(SourceChange::to).toList());
        FailoverSpliceTest.assertConsecutive(match.decodedFrames(), 0);
        FailoverSpliceTest.assertConsecutive(match.heardAudio(), 1);
    }

    @Test
    void mayEnter_shownOneSends_doesNotContinueItself() throws InterruptedException {
        TwoEncoders match = aligned(0);
        Failover failover = match.live().failover().orElseThrow();
        HeldMedia ofPrimary = held(match.primary);
        HeldMedia ofBackup = held(match.backup);
        // The primary's next key frame, at 22 s, comes before the backup's.
        match.run(3.65);
        assertTrue(match.choose(Optional.of(PublishSource.BACKUP)));
        AtomicInteger entries = new AtomicInteger();
        match.backup.sending =
                unit -> {
                    ofBackup.add(unit);
                    Publication backup = match.backup.publication();
                    if (entries.get() == 0 && failover.takeOver(backup, ofBackup).isPresent()) {
                        entries.incrementAndGet();
                        Publication primary = match.primary.publication();
                        assertEquals(Optional.empty(), failover.takeOver(primary, ofPrimary));
                        match.primary.send();
                    }
                };
        match.run(6);

        assertEquals(1, entries.get());
        assertEquals(
                List.of(PublishSource.BACKUP),
                match.changes.stream().map(SourceChange::to).toList());
        FailoverSpliceTest.assertConsecutive(match.decodedFrames(), 0);
        FailoverSpliceTest.assertConsecutive(match.heardAudio(), 1);
    }

    private static TwoEncoders aligned(long backupDelayMs) throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, backupDelayMs);
        match.encodes = true;
        match.primary.connect(0);
        match.run(9);
        match.backup.connect(0);
        match.run(9.3);
        return match;
    }

    private static HeldMedia held(TwoEncoders.Encoder encoder) {
        HeldMedia held = new HeldMedia();
        held.begin(SyntheticStream.standard().tracks());
        encoder.sending = held::add;
        return held;
    }
}
