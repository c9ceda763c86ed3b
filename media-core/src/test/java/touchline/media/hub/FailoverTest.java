package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class FailoverTest {
    @Test
    void primaryStalls_andIsBack_switchesForthAndBack() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 800);
        match.primary.connect(0);
        match.backup.connect(0);
        match.run(15);

        match.primary.stalled = true;
        match.run(6);
        assertEquals(PublishSource.BACKUP, match.sources().shown());

        match.primary.stalled = false;
        match.run(9.5);
        assertEquals(PublishSource.BACKUP, match.sources().shown());
        match.run(5);
        assertEquals(PublishSource.PRIMARY, match.sources().shown());

        assertEquals(
                List.of(
                        "started",
                        "connected",
                        "source backup encoder_lost",
                        "source primary failback"),
                match.events);
        FailoverSpliceTest.assertConsecutive(match.shownFrames(), 0);
        FailoverSpliceTest.assertConsecutive(match.heardAudio(), 1);
    }

    @Test
    void byHand_bothSend_switchesAndStays() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 400);
        match.primary.connect(0);
        match.run(1);
        match.backup.connect(70_000);
        match.run(12);

        assertTrue(match.choose(Optional.of(PublishSource.BACKUP)));
        match.run(3);
        assertEquals(PublishSource.BACKUP, match.sources().shown());
        assertEquals(Optional.of(PublishSource.BACKUP), match.sources().chosen());
        match.run(20);
        assertTrue(match.choose(Optional.of(PublishSource.PRIMARY)));
        match.run(3);
        assertTrue(match.choose(Optional.empty()));
        match.run(20);

        assertEquals(
                List.of(
                        "started",
                        "connected",
                        "source backup operator",
                        "source primary operator"),
                match.events);
        FailoverSpliceTest.assertConsecutive(match.shownFrames(), 0);
        FailoverSpliceTest.assertConsecutive(match.heardAudio(), 1);
    }

    @Test
    void choose_publisherThatSendsNothing_isRefused() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 0);
        match.primary.connect(0);
        match.run(1);
        assertEquals(Optional.empty(), match.live().failover());
        match.backup.connect(0);
        match.run(3);
        match.backup.stalled = true;
        match.run(2);

        assertFalse(match.choose(Optional.of(PublishSource.BACKUP)));
        match.run(2);
        assertEquals(List.of("started", "connected"), match.events);
    }

    @Test
    void chosenPublisher_isLost_theOtherOneIsShownUntilItIsSteady() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 0);
        match.primary.connect(0);
        match.backup.connect(0);
        match.run(12);
        assertTrue(match.choose(Optional.of(PublishSource.BACKUP)));
        match.run(5);

        match.backup.disconnect();
        match.run(4);
        assertEquals(PublishSource.PRIMARY, match.sources().shown());
        match.backup.connect(500);
        match.run(15);

        assertEquals(PublishSource.BACKUP, match.sources().shown());
        assertEquals(
                List.of(
                        "source backup operator",
                        "source primary encoder_lost",
                        "source backup failback"),
                match.events.subList(2, 5));
        FailoverSpliceTest.assertConsecutive(match.shownFrames(), 0);
    }

    @Test
    void failbackAfter_zero_staysWithTheBackup() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 0);
        match.settings = new FailoverSettings(Duration.ofSeconds(1), Duration.ZERO);
        match.primary.connect(0);
        match.backup.connect(0);
        match.run(12);
        match.primary.disconnect();
        match.run(4);
        match.primary.connect(0);
        match.run(60);

        assertEquals(PublishSource.BACKUP, match.sources().shown());
    }

    @Test
    void primaryFlaps_backupIsShownUntilItIsSteady() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 300);
        match.primary.connect(0);
        match.backup.connect(0);
        match.run(12);
        for (int time = 0; time < 6; time++) {
            match.primary.disconnect();
            match.run(3);
            match.primary.connect(time * 100L);
            match.run(6);
        }

        assertEquals(1, match.changes.size());
        FailoverSpliceTest.assertConsecutive(match.shownFrames(), 0);
        FailoverSpliceTest.assertConsecutive(match.heardAudio(), 1);
    }

    @Test
    void withoutAlignment_switchesByArrival() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 700);
        match.aligned = false;
        match.primary.connect(0);
        match.backup.connect(30_000);
        match.run(12);
        match.primary.disconnect();
        match.run(5);

        SourceChange change = match.changes.getFirst();
        assertFalse(change.aligned());
        assertTrue(Math.abs(change.gapMs()) <= 17, "gap " + change.gapMs());
        // What arrives at the same time is 0.7 s older: 21 frames are shown twice.
        List<Long> shown = match.shownFrames();
        long back = 0;
        for (int i = 1; i < shown.size(); i++) {
            back = Math.min(back, shown.get(i) - shown.get(i - 1) - 1);
        }
        assertEquals(-21, (double) back, 1);
    }

    @Test
    void bothGone_sessionIsInterrupted_andEitherContinuesIt() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 0);
        match.primary.connect(0);
        match.backup.connect(0);
        match.run(12);
        match.primary.disconnect();
        match.run(0.2);
        match.backup.disconnect();
        match.run(5);
        assertEquals(LiveStream.State.INTERRUPTED, match.live().state());

        match.backup.connect(0);
        match.run(5);

        assertEquals(
                List.of(
                        "started",
                        "connected",
                        "disconnected",
                        "connected",
                        "source backup encoder_lost"),
                match.events);
        assertFalse(match.changes.getFirst().aligned());
        assertEquals(LiveStream.State.PUBLISHING, match.live().state());
    }

    @Test
    void shownPublisher_isGoneAndTheOtherOneSends_noReconnectWindow() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 0);
        match.primary.connect(0);
        match.backup.connect(0);
        match.run(12);
        match.primary.disconnect();
        match.run(0.3);

        assertEquals(LiveStream.State.PUBLISHING, match.live().state());
        assertEquals(Optional.empty(), match.live().disconnectedAt());
    }

    @Test
    void standby_backupSends_isNotEvenPrepared() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 3_000);
        match.settings = new FailoverSettings(Duration.ofSeconds(4), Duration.ofSeconds(10));
        match.primary.connect(0);
        match.run(4);
        match.backup.connect(0);
        match.run(12);
        List<StandbyRequest> made = new ArrayList<>();
        StandbySettings freeze =
                new StandbySettings(
                        StandbySettings.Mode.FREEZE, Duration.ofMillis(500), Optional.empty(), "");
        match.live()
                .standby()
                .follow(
                        freeze,
                        request -> {
                            made.add(request);
                            return CompletableFuture.failedFuture(new IllegalStateException());
                        });

        match.primary.disconnect();
        match.run(10);

        assertEquals(List.of(), made);
        assertEquals(1, match.changes.size());
        assertTrue(match.changes.getFirst().aligned());
        FailoverSpliceTest.assertConsecutive(match.shownFrames(), 0);
    }

    @Test
    void primary_reconnectsBeforeTheFailover_goesOn() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 0);
        match.primary.connect(0);
        match.backup.connect(0);
        match.run(11.6);
        match.primary.disconnect();
        match.run(0.2);
        // Its next key frame comes at 12 s.
        match.primary.connect(0);
        match.run(10);

        assertEquals(List.of("started", "connected"), match.events);
        assertEquals(PublishSource.PRIMARY, match.sources().shown());
    }

    @Test
    void backupAlone_startsTheSession_andGivesWayToASteadyPrimary() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 0);
        match.backup.connect(0);
        match.run(5);
        assertEquals(PublishSource.BACKUP, match.sources().shown());
        match.primary.connect(9_000);
        match.run(9.9);
        assertEquals(PublishSource.BACKUP, match.sources().shown());
        match.run(3);

        assertEquals(List.of("started", "connected", "source primary failback"), match.events);
        FailoverSpliceTest.assertConsecutive(match.shownFrames(), 0);
    }

    @Test
    void end_bothConnected_cutsBoth() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 0);
        match.primary.connect(0);
        match.backup.connect(0);
        match.run(3);

        match.streams.complete(Hub.STREAM, Duration.ofSeconds(10));

        assertEquals(List.of("primary COMPLETED", "backup COMPLETED"), match.cuts);
    }

    @Test
    void cutBackup_primaryIsShown_leavesThePrimary() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 0);
        match.primary.connect(0);
        match.backup.connect(0);
        match.run(3);
        assertTrue(match.sources().backup().orElseThrow().connected());

        match.streams.cutBackup(Hub.STREAM, EndReason.KEY_RESET);
        match.run(3);

        assertEquals(List.of("backup KEY_RESET"), match.cuts);
        assertFalse(match.sources().backup().orElseThrow().connected());
        assertEquals(List.of("started", "connected"), match.events);
    }

    @Test
    void sources_alignedAudio_showTheOffset() throws InterruptedException {
        TwoEncoders match = new TwoEncoders(0, 1_200);
        match.primary.connect(0);
        match.run(1);
        match.backup.connect(400);
        match.run(12);

        SourceStatus.Backup backup = match.sources().backup().orElseThrow();

        assertEquals(1_200, (double) backup.offsetMs().orElseThrow(), 20);
        assertEquals(0.9, backup.confidence());
        assertTrue(backup.sending() && backup.primarySending());
    }
}
