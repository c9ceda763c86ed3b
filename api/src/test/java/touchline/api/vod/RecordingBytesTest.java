package touchline.api.vod;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.jobs.EncodedMedia;
import touchline.media.codec.MalformedMediaException;
import touchline.media.file.MediaProbe;
import touchline.packager.record.Mp4View;
import touchline.packager.record.Recording;

final class RecordingBytesTest {
    @TempDir private Path folder;

    @Test
    void read_fromTheStart_isTheHeadAndThenAllFiles() throws IOException {
        byte[] expected = mp4(EncodedMedia.record(folder));

        try (RecordingBytes bytes = RecordingBytes.open(folder)) {
            assertEquals(expected.length, bytes.sizeBytes());
            assertArrayEquals(expected, readAll(bytes, /* atOnce= */ 1 << 20));
            // A jump back opens the former file again; small reads end at the head and at files.
            assertArrayEquals(expected, readAll(bytes, /* atOnce= */ 1_001));
        }
    }

    @Test
    void read_anyPosition_isThatOfTheMp4() throws IOException {
        byte[] expected = mp4(EncodedMedia.record(folder));

        try (RecordingBytes bytes = RecordingBytes.open(folder)) {
            for (int at :
                    List.of(expected.length - 10, expected.length / 2, 7, expected.length / 3)) {
                ByteBuffer into = ByteBuffer.allocate(10);
                while (into.hasRemaining()) {
                    assertTrue(bytes.read(at + into.position(), into) > 0, () -> "at " + at);
                }
                assertArrayEquals(Arrays.copyOfRange(expected, at, at + 10), into.array());
            }
        }
    }

    @Test
    void read_atTheEndAndBehind_isTheEnd() throws IOException {
        EncodedMedia.record(folder);

        try (RecordingBytes bytes = RecordingBytes.open(folder)) {
            assertEquals(-1, bytes.read(bytes.sizeBytes(), ByteBuffer.allocate(8)));
            assertEquals(-1, bytes.read(bytes.sizeBytes() + 5, ByteBuffer.allocate(8)));
            ByteBuffer last = ByteBuffer.allocate(8);
            assertEquals(3, bytes.read(bytes.sizeBytes() - 3, last));
            assertEquals(3, last.position());
        }
    }

    @Test
    void bytes_inAFile_areAnMp4() throws IOException {
        EncodedMedia.record(folder);
        Path file = folder.resolve("whole.mp4");
        try (RecordingBytes bytes = RecordingBytes.open(folder)) {
            Files.write(file, readAll(bytes, 1 << 16));
        }

        assertEquals(
                2.0,
                MediaProbe.probe(file, MediaProbe.Limits.DEFAULT).durationUs().orElseThrow() / 1e6,
                0.1);
    }

    @Test
    void open_withoutSegments_isMalformed() throws IOException {
        new Recording(List.of(), List.of(), /* ended= */ true).save(folder);

        assertThrows(MalformedMediaException.class, () -> RecordingBytes.open(folder));
    }

    @Test
    void open_withoutIndex_isAMissingFile() {
        assertThrows(NoSuchFileException.class, () -> RecordingBytes.open(folder));
    }

    /** As {@link Mp4View} describes it. */
    private byte[] mp4(Recording recording) throws IOException {
        Mp4View view = Mp4View.of(recording, folder);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] head = new byte[Math.toIntExact(view.head().byteSize())];
        view.head().asByteBuffer().get(head);
        all.writeBytes(head);
        for (Mp4View.FileSlice slice : view.files()) {
            byte[] file = Files.readAllBytes(slice.file());
            all.write(file, 0, Math.toIntExact(slice.sizeBytes()));
        }
        return all.toByteArray();
    }

    private static byte[] readAll(RecordingBytes bytes, int atOnce) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer into = ByteBuffer.allocate(atOnce);
        while (bytes.read(all.size(), into) > 0) {
            all.write(into.array(), 0, into.position());
            into.clear();
        }
        return all.toByteArray();
    }
}
