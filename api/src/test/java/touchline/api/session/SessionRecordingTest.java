package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.SessionId;
import touchline.media.Timeline;
import touchline.packager.hls.CountedMemory;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.LiveWindow;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.PartSink.FinishedPart;
import touchline.packager.hls.PartSink.SealedSegment;
import touchline.packager.hls.TestMedia;
import touchline.packager.record.Recorder;
import touchline.packager.record.Recording;
import touchline.testing.Await;

/** A session with a full disk for a while: the stored part, and recording afterwards. */
final class SessionRecordingTest {
    private static final Timeline TIMELINE =
            TestMedia.timeline(0, 0, TestMedia.VIDEO, TestMedia.AUDIO);

    @TempDir private Path root;

    private final LiveWindow window =
            new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 0, true)).window;
    private final CountedMemory memory = new CountedMemory();
    private final List<Runnable> asked = new ArrayList<>();
    private final List<Long> minFreeBytes = new ArrayList<>(List.of(Long.MAX_VALUE, 0L));
    private Instant now = Instant.EPOCH;
    private boolean room;

    private SessionRecording recording;

    private final RecordingCounters counters = new RecordingCounters();

    @BeforeEach
    void open() {
        recording =
                SessionRecording.open(
                        new SessionRecording.Dependencies(
                                new SessionId("ses_1"),
                                this::take,
                                () -> room,
                                asked::add,
                                /* sharesAssets= */ false,
                                counters,
                                () -> now));
    }

    private RecordingPart take(int number, Recorder.Listener listener) {
        Recorder.Settings settings =
                new Recorder.Settings(
                        new SessionId("ses_1"),
                        root.resolve("take" + number),
                        Recorder.Purpose.RECORDING,
                        minFreeBytes.get(number));
        return RecordingPart.spool(Recorder.open(settings, window, listener));
    }

    private void init() {
        MediaBlock init = memory.allocate(20);
        recording.initSegment(0, TIMELINE, init);
        init.release();
    }

    private void segment(long mediaSequence, boolean independent) {
        MediaBlock block = memory.allocate(10);
        recording.part(
                new FinishedPart(
                        mediaSequence,
                        /* index= */ 0,
                        mediaSequence * 4_000_000,
                        4_000_000,
                        independent,
                        block));
        block.release();
        recording.sealed(
                new SealedSegment(mediaSequence, 0, mediaSequence * 4_000_000, 4_000_000, 1, 10));
    }

    private void askForSpace() {
        asked.forEach(Runnable::run);
        asked.clear();
    }

    @Test
    void spaceIsBack_storesAgainFromTheNextKeyFrame_inAnotherTake() throws IOException {
        init();
        segment(0, true);
        // The first take's writer finds out by itself.
        Await.until(
                () -> {
                    now = now.plusSeconds(10);
                    recording.sealed(new SealedSegment(1, 0, 4_000_000, 4_000_000, 1, 10));
                    return !asked.isEmpty();
                });
        askForSpace();
        segment(2, true);
        assertEquals(0, asked.size(), "it is not asked for space at every segment");

        room = true;
        now = now.plusSeconds(10);
        segment(3, true);
        assertEquals(1, asked.size());
        askForSpace();
        segment(4, false);
        segment(5, true);
        segment(6, true);
        recording.end();
        recording.close();

        Recording stored = Recording.load(root.resolve("take1"));
        assertEquals(
                List.of(5L, 6L),
                stored.segments().stream().map(Recording.Segment::mediaSequence).toList());
        assertEquals(List.of(0), stored.inits().stream().map(Recording.Init::number).toList());
        assertTrue(stored.ended());
        assertEquals(0, memory.liveBlocks());
        assertEquals(1, counters.stops(Recorder.Failure.LOW_SPACE));
        assertEquals(0, counters.stops(Recorder.Failure.DISK));
    }
}
