package touchline.media.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/** Copies bytes between FFmpeg's memory and segments, each in one bulk copy. */
public final class NativeMemory {
    /** Limit far above any access unit of a live stream. */
    static final int MAX_UNIT_BYTES = 32 * 1024 * 1024;

    /** Limit above any decoder configuration record. */
    private static final int MAX_CONFIG_BYTES = 64 * 1024;

    private NativeMemory() {}

    /** Returns the memory of a pointer; it is valid as long as FFmpeg keeps it. */
    @SuppressWarnings("restricted")
    public static MemorySegment at(Pointer pointer, long bytes) {
        return MemorySegment.ofAddress(pointer.address()).reinterpret(bytes);
    }

    /** As {@link #at(Pointer, long)}; after the arena is closed, every access throws. */
    @SuppressWarnings("restricted")
    public static MemorySegment at(Pointer pointer, long bytes, Arena arena) {
        return MemorySegment.ofAddress(pointer.address()).reinterpret(bytes, arena, null);
    }

    /** Returns a read-only copy on the heap. */
    public static MemorySegment copyOf(Pointer pointer, long bytes) {
        byte[] copy = new byte[Math.toIntExact(bytes)];
        MemorySegment.copy(at(pointer, bytes), 0, MemorySegment.ofArray(copy), 0, bytes);
        return MemorySegment.ofArray(copy).asReadOnly();
    }

    /** Allocates padded memory for an empty packet and copies the payload there. */
    static void fill(AVPacket packet, MemorySegment payload) {
        int bytes = checkedSize(payload, MAX_UNIT_BYTES, "access unit");
        Ffmpeg.check(avcodec.av_new_packet(packet, bytes), "av_new_packet");
        MemorySegment.copy(payload, 0, at(packet.data(), bytes), 0, bytes);
    }

    /** Passes a copy of a decoder configuration to the codec context, which frees it. */
    static void setExtradata(AVCodecContext context, MemorySegment config) {
        context.extradata(padded(config)).extradata_size((int) config.byteSize());
    }

    /** Passes a copy of a decoder configuration to the parameters, which free it. */
    static void setExtradata(AVCodecParameters parameters, MemorySegment config) {
        parameters.extradata(padded(config)).extradata_size((int) config.byteSize());
    }

    private static BytePointer padded(MemorySegment config) {
        int bytes = checkedSize(config, MAX_CONFIG_BYTES, "decoder configuration");
        Pointer memory = avutil.av_mallocz(bytes + (long) avcodec.AV_INPUT_BUFFER_PADDING_SIZE);
        if (memory == null) {
            throw Ffmpeg.missing("av_mallocz");
        }
        MemorySegment.copy(config, 0, at(memory, bytes), 0, bytes);
        return new BytePointer(memory);
    }

    private static int checkedSize(MemorySegment bytes, int limit, String what) {
        long size = bytes.byteSize();
        if (size > limit) {
            throw new IllegalArgumentException(what + ": " + size + " bytes (<= " + limit + ")");
        }
        return (int) size;
    }
}
