package touchline.media.file;

import java.io.IOException;
import java.util.Optional;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.Read_packet_Pointer_BytePointer_int;
import org.bytedeco.ffmpeg.avformat.Seek_Pointer_long_int;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.NativeMemory;

/**
 * Lets libavformat read {@link SeekableBytes}. One owner thread. Must stay reachable and open as
 * long as the context that reads it. Does not own the bytes.
 */
final class ByteInput implements AutoCloseable {
    private static final int BUFFER_BYTES = 128 * 1024;
    private static final int IO_ERROR = -5; // Linux errno EIO, negated as AVERROR does

    private final SeekableBytes bytes;
    // Native code calls these: the fields keep them reachable.
    private final Reader reader = new Reader();
    private final Seeker seeker = new Seeker();
    private final AVIOContext context;
    // Not named "position": the callbacks inherit a field of that name.
    private long readAt;
    private @Nullable IOException failure;
    private boolean closed;

    ByteInput(SeekableBytes bytes) {
        this.bytes = bytes;
        Pointer memory = avutil.av_malloc(BUFFER_BYTES);
        if (memory == null) {
            throw Ffmpeg.missing("av_malloc");
        }
        this.context =
                avformat.avio_alloc_context(
                        new BytePointer(memory), BUFFER_BYTES, 0, null, reader, null, seeker);
    }

    AVIOContext context() {
        return context;
    }

    /** Returns the cause of a failed read: FFmpeg only reports that a read failed. */
    Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        // libavformat may have replaced the first buffer.
        avutil.av_free(context.buffer());
        avformat.avio_context_free(context);
        // JavaCPP supports only a few callbacks of each type.
        reader.close();
        seeker.close();
    }

    /** An exception must not pass through native code. */
    private final class Reader extends Read_packet_Pointer_BytePointer_int {
        @Override
        public int call(Pointer opaque, BytePointer buffer, int size) {
            try {
                int read = bytes.read(readAt, NativeMemory.at(buffer, size).asByteBuffer());
                if (read <= 0) {
                    return avutil.AVERROR_EOF();
                }
                readAt += read;
                return read;
            } catch (IOException e) {
                failure = e;
                return IO_ERROR;
            } catch (RuntimeException e) {
                failure = new IOException("input", e);
                return IO_ERROR;
            }
        }
    }

    private final class Seeker extends Seek_Pointer_long_int {
        private static final int SET = 0;
        private static final int CURRENT = 1;
        private static final int END = 2;

        @Override
        public long call(Pointer opaque, long offset, int whence) {
            if ((whence & avformat.AVSEEK_SIZE) != 0) {
                return bytes.sizeBytes();
            }
            long wanted =
                    switch (whence & ~avformat.AVSEEK_FORCE) {
                        case SET -> offset;
                        case CURRENT -> readAt + offset;
                        case END -> bytes.sizeBytes() + offset;
                        default -> -1;
                    };
            if (wanted < 0) {
                return IO_ERROR;
            }
            readAt = wanted;
            return wanted;
        }
    }
}
