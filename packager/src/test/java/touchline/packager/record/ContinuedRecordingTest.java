package touchline.packager.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.Interruption;
import touchline.media.codec.MalformedMediaException;
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
        whole = RigRecording.record(rig, folder);
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

    /** The recording has its frames until their end, but what was listed stays as it was. */
    @Test
    void earlier_behindALastSegmentWithB_listsItAsBefore(@TempDir Path lost) throws IOException {
        PackagerRig rig =
                new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 100, true));
        rig.feed(TestMedia.timeline(0, 0, TestMedia.videoAt(5)))
                .feed(TestMedia.videoWithB(new TestMedia.Video(5, 10, 0, 20_000)));
        List<Segment> whole = RigRecording.record(rig, lost).segments();
        List<Segment> before = whole.subList(0, whole.size() - 1);
        Recording.Place end = before.getLast().place();
        try (FileChannel file =
                FileChannel.open(
                        lost.resolve(before.getLast().fileName()), StandardOpenOption.WRITE)) {
            file.truncate(end.offsetBytes() + end.sizeBytes());
        }

        Recording found = Recording.rebuild(lost);
        found.save(lost);

        assertEquals(200_000, found.durationUs() - durationUs(before.stream()));
        assertEquals(found, Recording.load(lost));
        assertEquals(
                before.stream().map(Segment::durationUs).toList(),
                ContinuedRecording.earlier(lost, _ -> {}).segments().stream()
                        .map(each -> each.segment().durationUs())
                        .toList());
    }

    private static long durationUs(Stream<Segment> segments) {
        return segments.mapToLong(Segment::durationUs).sum();
    }

    @Test
    void recover_whereTheIndexIsDamaged_leavesEverythingAsItIs() throws IOException {
        Files.writeString(folder.resolve(Recording.INDEX), "nonsense\n");

        assertThrows(MalformedMediaException.class, () -> ContinuedRecording.recover(folder));

        assertEquals("nonsense\n", Files.readString(folder.resolve(Recording.INDEX)));
    }
}
