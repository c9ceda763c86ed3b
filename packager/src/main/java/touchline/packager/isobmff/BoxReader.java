package touchline.packager.isobmff;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import touchline.media.codec.MalformedMediaException;

/**
 * Walks the boxes of stored segments; checks every size against the bytes present. Stateless, any
 * thread; copies nothing.
 *
 * <p>Source: ISO/IEC 14496-12, 4.2.
 */
public final class BoxReader {
    private static final int MAX_BOXES = 1 << 16;
    private static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private BoxReader() {}

    /**
     * One box.
     *
     * @param type four characters
     * @param offset of its first byte in what was walked
     * @param sizeBytes with its header
     * @param payload what stands behind size and type
     */
    public record Box(String type, long offset, long sizeBytes, MemorySegment payload) {
        public int u8(long at) {
            check(at, 1);
            return payload.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
        }

        public int u16(long at) {
            check(at, 2);
            return payload.get(U16, at) & 0xFFFF;
        }

        /** Four bytes as a signed number. */
        public int i32(long at) {
            check(at, 4);
            return payload.get(U32, at);
        }

        public long u32(long at) {
            return i32(at) & 0xFFFF_FFFFL;
        }

        public long u64(long at) {
            check(at, 8);
            return payload.get(U64, at);
        }

        public String fourCc(long at) {
            check(at, 4);
            return text(payload, at);
        }

        /** Version of a full box. */
        public int version() {
            return u8(0);
        }

        /** Flags of a full box. */
        public int flags() {
            return i32(0) & 0xFF_FFFF;
        }

        /** The boxes inside, behind {@code skipBytes} of other fields. */
        public List<Box> children(long skipBytes) {
            check(skipBytes, 0);
            return walk(payload.asSlice(skipBytes));
        }

        public List<Box> children() {
            return children(0);
        }

        /** The first box of a type directly inside. */
        public Optional<Box> child(String wanted) {
            return first(children(), wanted);
        }

        /**
         * The first box of a type directly inside.
         *
         * @throws MalformedMediaException where there is none
         */
        Box need(String wanted) {
            return child(wanted)
                    .orElseThrow(() -> new MalformedMediaException(type + " without " + wanted));
        }

        private void check(long at, long bytes) {
            if (at < 0 || at > payload.byteSize() - bytes) {
                throw new MalformedMediaException(
                        "%s: field at %d of %d bytes (payload: %d)"
                                .formatted(type, at, bytes, payload.byteSize()));
            }
        }
    }

    /**
     * The consecutive boxes in some bytes.
     *
     * @throws MalformedMediaException when one is cut short
     */
    public static List<Box> walk(MemorySegment bytes) {
        List<Box> boxes = new ArrayList<>();
        long at = 0;
        while (at < bytes.byteSize()) {
            Box box = at(bytes, at).orElseThrow(cutShort(bytes, at));
            boxes.add(box);
            at += box.sizeBytes();
            if (boxes.size() > MAX_BOXES) {
                throw new MalformedMediaException("boxes: more than " + MAX_BOXES);
            }
        }
        return boxes;
    }

    /** Like {@link #walk}, but ends where a box is cut short: what a crash leaves behind. */
    public static List<Box> walkWhole(MemorySegment bytes) {
        List<Box> boxes = new ArrayList<>();
        long at = 0;
        while (at < bytes.byteSize() && boxes.size() <= MAX_BOXES) {
            Optional<Box> box = at(bytes, at);
            if (box.isEmpty()) {
                break;
            }
            boxes.add(box.get());
            at += box.get().sizeBytes();
        }
        return boxes;
    }

    public static Optional<Box> first(List<Box> boxes, String type) {
        for (Box box : boxes) {
            if (box.type().equals(type)) {
                return Optional.of(box);
            }
        }
        return Optional.empty();
    }

    private static Supplier<MalformedMediaException> cutShort(MemorySegment bytes, long at) {
        return () ->
                new MalformedMediaException(
                        "box at %d is cut short (bytes: %d)".formatted(at, bytes.byteSize()));
    }

    private static Optional<Box> at(MemorySegment bytes, long at) {
        long left = bytes.byteSize() - at;
        if (left < 8) {
            return Optional.empty();
        }
        long size = bytes.get(U32, at) & 0xFFFF_FFFFL;
        int header = 8;
        if (size == 1) {
            if (left < 16) {
                return Optional.empty();
            }
            size = bytes.get(U64, at + 8);
            header = 16;
        } else if (size == 0) {
            size = left;
        }
        if (size < header || size > left) {
            return Optional.empty();
        }
        MemorySegment payload = bytes.asSlice(at + header, size - header);
        return Optional.of(new Box(text(bytes, at + 4), at, size, payload));
    }

    private static String text(MemorySegment bytes, long at) {
        byte[] four = bytes.asSlice(at, 4).toArray(ValueLayout.JAVA_BYTE);
        return new String(four, StandardCharsets.ISO_8859_1);
    }
}
