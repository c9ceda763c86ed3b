package touchline.packager.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.Interruption;
import touchline.media.SessionId;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.record.Recording.Segment;

/** Two timelines, of which the first one was recorded by another server. */
final class ContinuedRecordingTest {
    @TempDir private Path folder;
    private Recording whole;

    @BeforeEach
    void record() throws IOException {
        PackagerRig rig =
                new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 100, true));
        rig.feed(TestMedia.timeline(0, 0, TestMedia.videoAt(5)))
                .feed(TestMedia.video(new TestMedia.Video(5, 10, 0, 20_000)))
                .feed(Interruption.PUBLISHER_GONE)
                .feed(TestMedia.timeline(1, 25_000, TestMedia.videoAt(5)))
                .feed(TestMedia.video(new TestMedia.Video(5, 10, 25_000, 20_000)));
        try (Recorder recorder =
                Recorder.open(
                        new Recorder.Settings(
                                new SessionId("session-1"),
                                folder,
                                Recorder.Purpose.RECORDING,
                                /* minFreeBytes= */ 0L),
                        rig.window,
                        new Recorder.Listener() {})) {
            rig.run(PublishBarrier.OPEN, List.of(recorder));
        }
        rig.window.close();
        whole = Recording.load(folder);
    }

    /** The server was killed behind the last segment, before its line was written. */
    private void cutOff() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(folder.resolve(Recording.INDEX)));
        assertEquals("end", lines.removeLast());
        assertTrue(lines.removeLast().startsWith("segment "));
        Files.write(folder.resolve(Recording.INDEX), lines);
    }

    private static List<Long> numbers(Recording recording) {
        return recording.segments().stream().map(Segment::mediaSequence).toList();
    }

    @Test
    void recover_withoutTheFilesOfBefore_countsThemAsTheIndexDoes() throws IOException {
        String first = whole.segments().getFirst().fileName();
        cutOff();
        long bytes = ContinuedRecording.sizeBytes(whole, folder);
        Files.delete(folder.resolve(first));

        Recording recovered = ContinuedRecording.recover(folder);

        assertEquals(numbers(whole), numbers(recovered));
        assertEquals(whole.inits(), recovered.inits());
        assertEquals(whole.durationUs(), recovered.durationUs());
        assertTrue(recovered.ended());
        assertEquals(recovered, Recording.load(folder));
        assertEquals(bytes, ContinuedRecording.sizeBytes(recovered, folder));
        // What a recovery of a recording of this server alone would leave.
        assertTrue(numbers(Recording.recover(folder)).size() < numbers(whole).size());
    }

    @Test
    void recover_whereTheIndexIsDamaged_leavesEverythingAsItIs() throws IOException {
        Files.writeString(folder.resolve(Recording.INDEX), "nonsense\n");

        assertThrows(MalformedMediaException.class, () -> ContinuedRecording.recover(folder));

        assertEquals("nonsense\n", Files.readString(folder.resolve(Recording.INDEX)));
    }
}
