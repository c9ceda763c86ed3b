package touchline.packager.isobmff;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.TestMedia;
import touchline.packager.isobmff.BoxReader.Box;

final class BoxReaderTest {
    private static final byte[] INIT =
            InitSegment.write(List.of(TestMedia.VIDEO, TestMedia.AUDIO), Instant.EPOCH);

    @Test
    void walk_cutAtEveryByte_isMalformedOrShorter() {
        int firstBox = 8 + 8 + 12;
        for (int length = 1; length < INIT.length; length++) {
            MemorySegment cut = MemorySegment.ofArray(Arrays.copyOf(INIT, length));
            if (length != firstBox) {
                assertThrows(MalformedMediaException.class, () -> BoxReader.walk(cut));
            }
            assertEquals(length >= firstBox ? 1 : 0, BoxReader.walkWhole(cut).size());
        }
    }

    @Test
    void walk_anyByteChanged_throwsNothingElse() {
        Random random = new Random(1);
        for (int round = 0; round < 3_000; round++) {
            byte[] bytes = INIT.clone();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                BoxDump.of(bytes);
            } catch (MalformedMediaException e) {
                assertNotNull(e.getMessage());
            }
        }
    }

    @Test
    void walk_largeSize_readsTheLongField() {
        BoxWriter out = new BoxWriter(16);
        out.u32(1);
        out.fourCc("mdat");
        out.u64(16 + 3);
        out.zeros(3);

        Box box = BoxReader.walk(MemorySegment.ofArray(out.toByteArray())).getFirst();

        assertEquals(3, box.payload().byteSize());
        assertThrows(MalformedMediaException.class, () -> box.u32(0));
    }

    @Test
    void box_typeOfOtherLength_isRefused() {
        BoxWriter out = new BoxWriter(16);
        assertThrows(IllegalArgumentException.class, () -> out.box("moo", () -> {}));
    }
}
