package touchline.packager.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.Interruption;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.record.IndexExcerpt.MediaFile;

/** Parts of a recorder's files and of its index. */
final class SegmentTailTest {
    @TempDir private Path root;
    private Path folder;
    private Recording recording;

    @BeforeEach
    void record() throws IOException {
        folder = root.resolve("session-1");
        PackagerRig rig =
                new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 100, true));
        rig.feed(TestMedia.timeline(0, 0, TestMedia.VIDEO))
                .feed(TestMedia.video(new TestMedia.Video(25, 50, 0, 40_000)))
                .feed(Interruption.PUBLISHER_GONE)
                .feed(TestMedia.timeline(1, 50_000, TestMedia.VIDEO))
                .feed(TestMedia.video(new TestMedia.Video(25, 50, 50_000, 8_000)));
        recording = RigRecording.record(rig, folder);
    }

    @Test
    void tailsOfAFile_areTheFile_andTheirNamesItsLinesInTheIndex() throws IOException {
        String name = recording.segments().getFirst().fileName();
        byte[] file = Files.readAllBytes(folder.resolve(name));
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (Recording.Segment segment : recording.segments()) {
            if (!segment.fileName().equals(name)) {
                continue;
            }
            SegmentTail tail = new SegmentTail(segment);
            assertEquals(joined.size(), tail.offsetBytes());
            byte[] bytes =
                    Arrays.copyOfRange(
                            file,
                            (int) tail.offsetBytes(),
                            (int) (tail.offsetBytes() + tail.sizeBytes()));
            assertEquals(Optional.of(tail), SegmentTail.parse(tail.name(), bytes.length));
            Path stored = Files.write(root.resolve(tail.name()), bytes);
            assertEquals(
                    recording.inits().getFirst().wallClock(segment.startUs()),
                    SegmentTail.startedAt(stored));
            joined.writeBytes(bytes);
        }
        assertArrayEquals(file, joined.toByteArray());
    }

    @Test
    void otherNames_andObjectsThatAreTooShort_areNoTails() throws IOException {
        String name = new SegmentTail(recording.segments().getFirst()).name();
        for (String other :
                List.of("", "index", name + ".tmp", "x" + name, "1-2-3-4-5-6.m4s", "-" + name)) {
            assertEquals(Optional.empty(), SegmentTail.parse(other, 1_000));
        }
        assertEquals(Optional.empty(), SegmentTail.parse(name, SegmentMark.SIZE_BYTES));
        Path noMark = Files.write(root.resolve("other"), new byte[100]);
        assertThrows(MalformedMediaException.class, () -> SegmentTail.startedAt(noMark));
        Path torn = Files.write(root.resolve("torn"), new byte[3]);
        assertThrows(MalformedMediaException.class, () -> SegmentTail.startedAt(torn));
    }

    @Test
    void excerpts_goOnBehindAFile() throws IOException {
        IndexExcerpt all = IndexExcerpt.read(folder, 0);
        assertEquals(recording.inits(), all.inits());
        assertEquals(2, all.files().size());
        MediaFile first = all.files().getFirst();
        assertTrue(first.full(), "a discontinuity ends it");
        assertFalse(all.files().getLast().full());
        assertTrue(all.toEnd());
        assertEquals(Files.size(folder.resolve(first.name())), first.sizeBytes());

        IndexExcerpt rest = IndexExcerpt.read(folder, first.indexBytes());
        assertEquals(List.of(recording.inits().getLast()), rest.inits());
        assertEquals(List.of(all.files().getLast()), rest.files());
        String index = Files.readString(folder.resolve(Recording.INDEX));
        Files.writeString(
                folder.resolve(Recording.INDEX),
                index.substring(0, (int) first.indexBytes()) + "segment 1");
        assertEquals(
                new IndexExcerpt(
                        List.of(recording.inits().getFirst()),
                        List.of(new MediaFile(first.segments(), false, first.indexBytes())),
                        true),
                IndexExcerpt.read(folder, 0),
                "a torn line does not count");
    }

    @Test
    void theEndOfARecording_isARecordingOfItsOwn() throws IOException {
        int files = 2;
        for (int kept = 1; kept < recording.segments().size(); kept++) {
            List<Recording.Segment> wanted =
                    recording
                            .segments()
                            .subList(
                                    recording.segments().size() - kept,
                                    recording.segments().size());
            Path to = Files.createDirectories(root.resolve("end" + kept));
            long before = wanted.getFirst().mediaSequence() - 1;

            Recording end = RecordingEnd.keep(recording, folder, before, to);

            assertEquals(end, Recording.load(to));
            assertTrue(end.ended());
            assertEquals(
                    wanted.stream().map(Recording.Segment::mediaSequence).toList(),
                    end.segments().stream().map(Recording.Segment::mediaSequence).toList());
            assertEquals(
                    wanted.stream().map(Recording.Segment::startUs).toList(),
                    end.segments().stream().map(Recording.Segment::startUs).toList());
            assertEquals(
                    recording
                            .wallClocks()
                            .subList(
                                    recording.segments().size() - kept,
                                    recording.segments().size()),
                    end.wallClocks());
            for (int i = 0; i < kept; i++) {
                assertArrayEquals(bytes(folder, wanted.get(i)), bytes(to, end.segments().get(i)));
            }
            assertTrue(
                    end.segments().stream().map(Recording.Segment::fileName).distinct().count()
                            <= files);
        }
    }

    private static byte[] bytes(Path folder, Recording.Segment segment) throws IOException {
        long from = segment.place().offsetBytes();
        return Arrays.copyOfRange(
                Files.readAllBytes(folder.resolve(segment.fileName())),
                (int) from,
                (int) (from + segment.place().sizeBytes()));
    }
}
