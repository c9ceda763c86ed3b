package touchline.packager.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.Timeline;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.CountedMemory;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.LiveWindow;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.PartSink;
import touchline.packager.hls.StoredWindow;
import touchline.packager.record.Recorder.Purpose;
import touchline.testing.SyntheticStream;

/** A session whose server stops as planned: window and recording continue at the next start. */
final class SuspendedSessionTest {
    private static final SessionId SESSION = new SessionId("session-1");
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));
    private static final SyntheticStream MEDIA = SyntheticStream.standard().bFrames(0).seconds(9);

    @TempDir private Path root;
    private final CountedMemory memory = new CountedMemory();
    private final CompletableFuture<Recording> ended = new CompletableFuture<>();
    private final CompletableFuture<Boolean> suspended = new CompletableFuture<>();

    private final Recorder.Listener listener =
            new Recorder.Listener() {
                @Override
                public void ended(Recording recording) {
                    ended.complete(recording);
                }

                @Override
                public void suspended() {
                    suspended.complete(true);
                }
            };

    /** As the sinks of a session do when the server stops. */
    private record Suspending(Recorder recorder) implements PartSink {
        @Override
        public void initSegment(int number, Timeline timeline, MediaBlock bytes) {
            recorder.initSegment(number, timeline, bytes);
        }

        @Override
        public void part(FinishedPart part) {
            recorder.part(part);
        }

        @Override
        public void sealed(SealedSegment segment) {
            recorder.sealed(segment);
        }

        @Override
        public void end() {
            recorder.suspend();
        }
    }

    @AfterEach
    void everyBlockIsGivenBack() {
        assertEquals(0, memory.liveBlocks());
    }

    @Test
    void window_atAPlannedStop_staysOpenAndAnswersWaitingRequests() {
        PackagerRig rig = stopped(Purpose.RECORDING, LOW, true);

        String text = rig.playlist(PlaylistKind.WINDOW);

        assertFalse(text.contains("#EXT-X-ENDLIST"), text);
        assertTrue(rig.window.multivariant("id/").isPresent());
        long next = rig.window.nextMediaSequence();
        assertFalse(rig.window.whenAvailable(next, OptionalInt.of(0)).toCompletableFuture().join());
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    @Test
    void resume_recordedSession_showsTheSamePlaylistsAndContinuesThem() throws IOException {
        PackagerRig before = stopped(Purpose.RECORDING, LOW, true);
        String window = before.playlist(PlaylistKind.WINDOW);
        String multivariant = before.window.multivariant("id/").orElseThrow();

        LiveWindow resumed = resumed(before, LOW, true);
        PackagerRig after = new PackagerRig(resumed, memory);

        assertEquals(window, after.playlist(PlaylistKind.WINDOW));
        assertEquals(Optional.of(multivariant), resumed.multivariant("id/"));
        try (MediaBody part = resumed.part(101, 1).orElseThrow();
                MediaBody init = resumed.initSegment(0).orElseThrow()) {
            assertTrue(part instanceof MediaBody.FileRange);
            assertTrue(init.sizeBytes() > 0);
        }

        Recorder recorder = Recorder.reopen(settings(Purpose.RECORDING), resumed, listener);
        long firstNew = resumed.nextMediaSequence();
        feedAgain(after, 9_000_000);
        after.run(PublishBarrier.OPEN, List.of(recorder));
        Recording recording = ended.join();
        recorder.close();

        String text = after.playlist(PlaylistKind.FULL);
        assertTrue(text.startsWith("#EXTM3U"), text);
        assertEquals(1, text.split("#EXT-X-DISCONTINUITY\n", -1).length - 1, text);
        assertTrue(text.contains("#EXT-X-MAP:URI=\"init1.mp4\""), text);
        assertTrue(text.contains("\ns" + firstNew + ".m4s"), text);
        assertTrue(text.endsWith("#EXT-X-ENDLIST\n"), text);
        assertEquals(targets(window), targets(text));
        assertTrue(recording.ended());
        assertEquals(recording, Recording.load(folder()));
        assertEquals(List.of(0, 1), recording.inits().stream().map(i -> i.number()).toList());
        long nextUs = 0;
        for (Recording.Segment segment : recording.segments()) {
            assertEquals(nextUs, segment.startUs());
            nextUs += segment.durationUs();
        }
        assertEquals(18_000_000, nextUs);
        assertEquals(recording.segments(), Recording.rebuild(folder()).segments());
        resumed.close();
    }

    @Test
    void resume_ofALiveWindow_readsItsSpool() throws IOException {
        PackagerRig before = stopped(Purpose.SPOOL, LatencyProfile.standard(), false);
        String window = before.playlist(PlaylistKind.WINDOW);

        LiveWindow resumed = resumed(before, LatencyProfile.standard(), false);

        assertEquals(window, new PackagerRig(resumed, memory).playlist(PlaylistKind.WINDOW));
        resumed.close();
    }

    @Test
    void resume_withoutMoreMedia_endsPlaylistsAndRecording() throws IOException {
        PackagerRig before = stopped(Purpose.RECORDING, LOW, true);
        LiveWindow resumed = resumed(before, LOW, true);
        PackagerRig after = new PackagerRig(resumed, memory);
        Recorder recorder = Recorder.reopen(settings(Purpose.RECORDING), resumed, listener);

        after.run(PublishBarrier.OPEN, List.of(recorder));

        assertEquals(9_000_000, ended.join().durationUs());
        recorder.close();
        assertTrue(Recording.load(folder()).ended());
        assertTrue(after.playlist(PlaylistKind.WINDOW).endsWith("#EXT-X-ENDLIST\n"));
        resumed.close();
    }

    @Test
    void read_windowThatIsNotWhole_isMalformed() throws IOException {
        PackagerRig before = stopped(Purpose.RECORDING, LOW, true);
        Path file = root.resolve("window");
        before.window.toStore().write(file, root);
        before.window.close();
        String whole = Files.readString(file);

        for (String broken :
                List.of(
                        "",
                        whole.replace("touchline-window 2", "touchline-window 3"),
                        whole.replace("\nend\n", "\n"),
                        whole.replace("segment 100 0", "segment 100 x"),
                        whole.replace(":1 ", " "))) {
            Files.writeString(file, broken);
            assertThrows(MalformedMediaException.class, () -> StoredWindow.read(file, root));
        }
        Files.writeString(file, whole);
        Files.delete(folder().resolve("s100-0.m4s"));
        assertThrows(IOException.class, () -> StoredWindow.read(file, root));
    }

    /** Packages 9 s, and stops as the server does. */
    private PackagerRig stopped(Purpose purpose, LatencyProfile profile, boolean recorded) {
        PackagerRig rig = new PackagerRig(PackagerRig.settings(profile, 100, recorded));
        rig.feed(MEDIA.feed());
        rig.window.leaveOpen();
        try (Recorder recorder = Recorder.open(settings(purpose), rig.window, listener)) {
            rig.run(PublishBarrier.OPEN, List.of(new Suspending(recorder)));
        }
        assertTrue(suspended.join());
        assertFalse(ended.isDone());
        return rig;
    }

    private LiveWindow resumed(PackagerRig before, LatencyProfile profile, boolean recorded)
            throws IOException {
        Path file = root.resolve("window");
        before.window.toStore().write(file, root);
        long next = before.window.nextMediaSequence();
        before.window.close();
        assertEquals(0, before.memory.liveBlocks());
        StoredWindow stored = StoredWindow.read(file, root);
        assertTrue(stored.continuesWith(next));
        assertEquals(9_000_000, stored.endUs());
        return LiveWindow.resume(PackagerRig.settings(profile, next, recorded), memory, stored);
    }

    private static void feedAgain(PackagerRig rig, long startUs) {
        rig.feed(new Timeline(1, MEDIA.tracks(), startUs, SyntheticStream.STARTED_AT));
        for (AccessUnit unit : MEDIA.units()) {
            long ticks = unit.track().timescale().fromUs(startUs);
            rig.feed(
                    unit.at(
                            unit.track(),
                            unit.dtsTicks() + ticks,
                            unit.compositionTimeOffsetTicks()));
        }
    }

    private static List<String> targets(String playlist) {
        return playlist.lines()
                .filter(line -> line.contains("TARGET") || line.contains("SEQUENCE"))
                .toList();
    }

    private Recorder.Settings settings(Purpose purpose) {
        return new Recorder.Settings(SESSION, folder(), purpose, /* minFreeBytes= */ 0);
    }

    private Path folder() {
        return root.resolve("session-1");
    }
}
