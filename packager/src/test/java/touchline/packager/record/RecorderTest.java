package touchline.packager.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.Interruption;
import touchline.media.SessionId;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.PublishBarrier;
import touchline.media.store.DiskSpace;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.record.Recorder.Failure;
import touchline.packager.record.Recorder.Purpose;

final class RecorderTest {
    @TempDir private Path root;

    /** Records the calls of the writer's thread. */
    private static final class RecordedCalls implements Recorder.Listener {
        final List<Recording.Segment> stored = new CopyOnWriteArrayList<>();
        final List<Failure> failures = new CopyOnWriteArrayList<>();
        final CompletableFuture<Recording> ended = new CompletableFuture<>();

        /** What each segment takes on a slow disk. */
        volatile long pauseNs;

        @Override
        public void segmentStored(Recording.Segment segment) {
            LockSupport.parkNanos(pauseNs);
            stored.add(segment);
        }

        @Override
        public void failed(Failure failure, String message) {
            failures.add(failure);
        }

        @Override
        public void ended(Recording recording) {
            ended.complete(recording);
        }
    }

    private final RecordedCalls calls = new RecordedCalls();
    private final PackagerRig rig =
            new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 100, true));

    @Test
    void recording_ofTwoTimelines_isOnDiskAndRebuildable() throws IOException {
        feedTwoTimelines();
        Recording recording = record(Purpose.RECORDING, 0);

        assertEquals(3, recording.segments().size());
        assertTrue(recording.ended());
        assertEquals(9_000_000, recording.durationUs());
        assertEquals(List.of(0, 0, 1), recording.segments().stream().map(s -> s.init()).toList());
        assertEquals(
                List.of("s100-0.m4s", "s100-0.m4s", "s102-1.m4s"),
                recording.segments().stream().map(s -> s.fileName()).toList());
        assertEquals(recording, Recording.load(folder()));
        Recording rebuilt = Recording.rebuild(folder());
        assertEquals(recording.segments(), rebuilt.segments());
        assertEquals(recording.inits(), rebuilt.inits());
        rebuilt.save(folder());
        assertEquals(rebuilt, Recording.load(folder()));
        assertEquals(recording.segments(), calls.stored);
        close();
        assertTrue(Files.exists(folder().resolve("s100-0.m4s")), "a recording stays");
    }

    /** Parts whose ends were predicted, of a publisher that rounds its times. */
    @Test
    void recording_ofLatencyModeLow_isRebuiltExactly() throws IOException {
        PackagerRig low =
                new PackagerRig(
                        PackagerRig.settings(
                                LatencyProfile.low(Duration.ofMillis(250)), 100, true));
        low.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO))
                .feed(
                        TestMedia.interleaved(
                                TestMedia.video(new TestMedia.Video(30, 60, 0, 9_500)),
                                TestMedia.audio(0, 9_500)));
        try (Recorder recorder = open(Purpose.RECORDING, 0, low)) {
            low.run(PublishBarrier.OPEN, List.of(recorder));
            Recording recording = calls.ended.join();
            assertEquals(5, recording.segments().size());
            assertTrue(Math.abs(9_500_000 - recording.durationUs()) <= 1_000);
            assertEquals(recording.segments(), Recording.rebuild(folder()).segments());
            long endUs = 0;
            for (Recording.Segment segment : recording.segments()) {
                assertEquals(endUs, segment.startUs());
                endUs += segment.durationUs();
            }
        }
        low.window.close();
        assertEquals(0, low.memory.liveBlocks());
    }

    @Test
    void recording_withATornLastPart_isRebuiltUpToTheLastWholeOne() throws IOException {
        feedTwoTimelines();
        Recording recording = record(Purpose.RECORDING, 0);
        Recording.Segment last = recording.segments().getLast();
        try (FileChannel file =
                FileChannel.open(folder().resolve(last.fileName()), StandardOpenOption.WRITE)) {
            file.truncate(last.place().offsetBytes() + last.place().sizeBytes() - 1);
        }
        Files.writeString(folder().resolve("index"), "segm", StandardOpenOption.APPEND);

        assertEquals(recording, Recording.load(folder()), "a torn line does not count");
        Recording.Segment rebuilt = Recording.rebuild(folder()).segments().getLast();
        assertEquals(last.parts() - 1, rebuilt.parts());
        assertEquals(3_000_000, rebuilt.durationUs());
        assertTrue(rebuilt.place().sizeBytes() < last.place().sizeBytes());
        close();
    }

    /** The last P-frame is there, and one of the B-frames that are presented before it. */
    @Test
    void recover_ofATornGop_lastsUntilItsLastFrameWasPresented() throws IOException {
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO));
        rig.feed(TestMedia.videoWithB(new TestMedia.Video(24, 100, 0, 5_400)));
        Recording.Segment last = record(Purpose.RECORDING, 0).segments().getLast();
        try (FileChannel file =
                FileChannel.open(folder().resolve(last.fileName()), StandardOpenOption.WRITE)) {
            file.truncate(last.place().offsetBytes() + last.place().sizeBytes() - 1);
        }

        Recording recovered = Recording.recover(folder());

        // 124 frames are decoded by 5,167 ms. The last one is presented from 5,208 ms on.
        long endUs = recovered.segments().getLast().startUs();
        endUs += recovered.segments().getLast().durationUs();
        assertTrue(Math.abs(5_250_000 - endUs) < 2_000, "end: " + endUs);
        close();
    }

    @Test
    void recover_afterACrash_keepsWholePartsAndExactDates() throws IOException {
        feedTwoTimelines();
        Recording recording = record(Purpose.RECORDING, 0);
        List<String> index = Files.readAllLines(folder().resolve("index"));
        // As if the server had died before the last segment was sealed.
        Files.write(folder().resolve("index"), index.subList(0, index.size() - 2));

        Recording recovered = Recording.recover(folder());

        assertEquals(recording, recovered);
        assertEquals(recovered, Recording.load(folder()));
        close();
    }

    @Test
    void rebuild_foreignAndTornFiles_areLeftOut() throws IOException {
        Files.createDirectories(folder());
        Files.writeString(folder().resolve("init0.mp4"), "torn");
        Files.writeString(folder().resolve("s1-0.m4s"), "torn");
        Files.writeString(folder().resolve("holiday.jpg"), "another file");

        assertEquals(new Recording(List.of(), List.of(), false), Recording.rebuild(folder()));
        close();
    }

    @Test
    void load_lineOfAnotherShape_isMalformed() throws IOException {
        Files.createDirectories(folder());
        for (String text :
                List.of("other 1\n", "touchline-recording 2\nsegment 1 x 0 0 0 0 0 0\n")) {
            Files.writeString(folder().resolve("index"), text);
            assertThrows(MalformedMediaException.class, () -> Recording.load(folder()));
        }
        close();
    }

    @Test
    void spool_isReadByTheWindowAndDeletedAtTheEnd() throws IOException {
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO));
        rig.feed(TestMedia.video(new TestMedia.Video(25, 50, 0, 40_000)));
        Recorder recorder = open(Purpose.SPOOL, 0);
        rig.run(PublishBarrier.OPEN, List.of(recorder));
        calls.ended.join();

        MediaBody body = rig.window.segment(100).orElseThrow();
        Path file = folder().resolve("s100-0.m4s");
        int markBytes = SegmentMark.SIZE_BYTES;
        assertEquals(new MediaBody.FileRange(file, markBytes, Files.size(file) - markBytes), body);
        assertFalse(Files.exists(folder().resolve("index")));
        rig.window.close();
        recorder.close();
        recorder.close();
        assertFalse(Files.exists(folder()));
        assertEquals(0, rig.memory.liveBlocks());
    }

    @Test
    void disk_thatFails_endsStoringAndLiveGoesOn() throws IOException {
        Files.writeString(folder(), "a file where the folder should be");
        feedTwoTimelines();
        Recording recording = record(Purpose.RECORDING, 0);

        assertEquals(List.of(Failure.DISK), calls.failures);
        assertEquals(List.of(), recording.segments());
        try (MediaBody body = rig.window.segment(100).orElseThrow()) {
            assertTrue(body instanceof MediaBody.Blocks);
        }
        close();
    }

    /** A session whose timestamps jump all the time leaves thousands of init segments. */
    @Test
    void unchangedInits_areFurtherNamesOfOneFile() throws IOException {
        for (int i = 0; i < 5; i++) {
            rig.feed(TestMedia.timeline(i, i * 9_000L, TestMedia.VIDEO))
                    .feed(TestMedia.video(new TestMedia.Video(25, 50, i * 9_000L, 4_000)));
        }
        rig.feed(TestMedia.timeline(5, 50_000, TestMedia.VIDEO, TestMedia.AUDIO))
                .feed(TestMedia.video(new TestMedia.Video(25, 50, 50_000, 4_000)));

        Recording recording = record(Purpose.RECORDING, 0);

        assertEquals(6, recording.inits().size());
        Set<Object> inodes = new HashSet<>();
        for (Recording.Init init : recording.inits()) {
            inodes.add(Files.getAttribute(folder().resolve(init.fileName()), "unix:ino"));
        }
        assertEquals(2, inodes.size());
        assertEquals(
                recording.inits().stream().map(Recording.Init::startedAt).toList(),
                Recording.rebuild(folder()).inits().stream()
                        .map(Recording.Init::startedAt)
                        .toList());
        close();
    }

    @Test
    void disk_thatIsSlow_isNotTakenForOneThatHangs() {
        feedTwoTimelines();
        calls.pauseNs = Duration.ofMillis(800).toNanos();
        Recorder recorder = open(Purpose.RECORDING, 0);
        rig.run(PublishBarrier.OPEN, List.of(recorder));

        // Longer than each of the three segments takes, and shorter than all of them.
        recorder.close(Duration.ofMillis(2_000));

        assertTrue(calls.ended.isDone());
        close();
    }

    @Test
    void disk_thatIsNearlyFull_endsStoring() throws IOException {
        feedTwoTimelines();
        Recording recording = record(Purpose.RECORDING, Long.MAX_VALUE);

        assertEquals(List.of(Failure.LOW_SPACE), calls.failures);
        assertEquals(List.of(), recording.segments());
        close();
    }

    @Test
    void disk_withFewInodes_endsStoringWhereTheyAreLimited() throws IOException {
        feedTwoTimelines();
        Recorder.Settings settings =
                new Recorder.Settings(
                        new SessionId("session-1"),
                        folder(),
                        Purpose.RECORDING,
                        new DiskSpace.Least(0, Long.MAX_VALUE));
        try (Recorder recorder = Recorder.open(settings, rig.window, calls)) {
            rig.run(PublishBarrier.OPEN, List.of(recorder));
        }

        boolean limited = DiskSpace.of(root).freeInodes() < Long.MAX_VALUE;
        assertEquals(limited ? List.of(Failure.LOW_SPACE) : List.of(), calls.failures);
        close();
    }

    private void feedTwoTimelines() {
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO))
                .feed(
                        TestMedia.interleaved(
                                TestMedia.video(new TestMedia.Video(25, 50, 0, 5_000)),
                                TestMedia.audio(0, 5_000)))
                .feed(Interruption.PUBLISHER_GONE)
                .feed(TestMedia.timeline(1, 9_000, TestMedia.VIDEO))
                .feed(TestMedia.video(new TestMedia.Video(25, 50, 9_000, 4_000)));
    }

    private Recording record(Purpose purpose, long minFreeBytes) {
        try (Recorder recorder = open(purpose, minFreeBytes)) {
            rig.run(PublishBarrier.OPEN, List.of(recorder));
            return calls.ended.join();
        }
    }

    private Recorder open(Purpose purpose, long minFreeBytes) {
        return open(purpose, minFreeBytes, rig);
    }

    private Recorder open(Purpose purpose, long minFreeBytes, PackagerRig packaged) {
        return Recorder.open(
                new Recorder.Settings(new SessionId("session-1"), folder(), purpose, minFreeBytes),
                packaged.window,
                calls);
    }

    private Path folder() {
        return root.resolve("session-1");
    }

    private void close() {
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }
}
