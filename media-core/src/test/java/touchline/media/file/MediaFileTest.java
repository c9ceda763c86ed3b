package touchline.media.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import touchline.media.codec.MalformedMediaException;

/** Files whose storage fails while they are read. */
final class MediaFileTest {
    private static final int RATE_HZ = 48_000;

    /** Two seconds of silence: more than is read ahead. */
    private static final byte[] WAV = wav(2 * RATE_HZ);

    private final Storage storage = new Storage();

    /** RIFF, "fmt " and "data": stereo, 16 bits a sample. */
    private static byte[] wav(int frames) {
        int dataBytes = 4 * frames;
        ByteBuffer file = ByteBuffer.allocate(44 + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
        file.put(ascii("RIFF")).putInt(36 + dataBytes).put(ascii("WAVEfmt ")).putInt(16);
        file.putShort((short) 1).putShort((short) 2).putInt(RATE_HZ).putInt(4 * RATE_HZ);
        file.putShort((short) 4).putShort((short) 16).put(ascii("data")).putInt(dataBytes);
        return file.array();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The file, until its reads fail. */
    private static final class Storage implements SeekableBytes {
        private @Nullable IOException error;
        private @Nullable RuntimeException bug;
        private int closed;

        @Override
        public long sizeBytes() {
            return WAV.length;
        }

        @Override
        public int read(long positionBytes, ByteBuffer into) throws IOException {
            if (error != null) {
                throw error;
            }
            if (bug != null) {
                throw bug;
            }
            int left = (int) Math.min(into.remaining(), WAV.length - positionBytes);
            if (left <= 0) {
                return -1;
            }
            into.put(WAV, (int) positionBytes, left);
            return left;
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private static long readAll(MediaFile media) {
        long bytes = 0;
        while (media.read()) {
            bytes += media.packet().size();
        }
        return bytes;
    }

    @Test
    void read_wholeFile_hasAllSamples_theBytesStayTheCallers() {
        MediaFile media = MediaFile.open(storage);
        try (media) {
            assertEquals(Optional.empty(), media.video());
            assertEquals(RATE_HZ, media.audio().orElseThrow().sampleRateHz());
            assertEquals(2_000_000, media.durationUs());
            assertEquals(0, media.startUs());
            assertEquals(WAV.length - 44, readAll(media));
        }
        media.close();

        assertEquals(0, storage.closed);
    }

    @Test
    void read_storageThatFails_endsWithAnError_notWithTheFile() {
        try (MediaFile media = MediaFile.open(storage)) {
            assertTrue(media.read());
            storage.error = new IOException("the disk is gone");

            var failed = assertThrows(MalformedMediaException.class, () -> readAll(media));

            assertEquals("the file cannot be read any further (-5)", failed.getMessage());
        }
    }

    /** An exception must not pass through native code. */
    @Test
    void read_bugInTheStorage_isAnErrorOfTheFile() {
        try (MediaFile media = MediaFile.open(storage)) {
            storage.bug = new IllegalStateException("a bug");

            assertThrows(MalformedMediaException.class, () -> readAll(media));
        }
    }

    @Test
    void open_storageThatFails_isNoMediaFile() {
        storage.error = new IOException("the disk is gone");

        var failed = assertThrows(MalformedMediaException.class, () -> MediaFile.open(storage));

        assertTrue(
                String.valueOf(failed.getMessage()).startsWith("not a media file: "),
                failed::getMessage);
    }
}
