package touchline.ingest.rtmp;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one chunk stream: the header fields that the next chunk may leave out, and
 * the message that is not complete yet. Used by one event loop.
 */
final class ChunkStream {
    private static final byte[] NOTHING = new byte[0];

    /** Above this a message gets memory as its bytes arrive, not as they are announced. */
    private static final int TRUSTED_BYTES = 64 << 10;

    /** Time of the current message, 32 bits as on the wire. */
    int timestamp;

    /** What a message of type 3 adds to the time of the one before it. */
    int delta;

    /** The last 24 bit time field was 0xffffff, so 32 bits follow the header. */
    boolean extended;

    int lengthBytes;
    int typeId;
    int messageStreamId;

    private byte @Nullable [] body;
    private int received;

    boolean isUnfinished() {
        return body != null;
    }

    /** The announced length has been checked by the caller. */
    void begin() {
        body = lengthBytes == 0 ? NOTHING : new byte[Math.min(lengthBytes, TRUSTED_BYTES)];
        received = 0;
    }

    int missingBytes() {
        return lengthBytes - received;
    }

    /** Takes bytes of the message, the only copy they go through. */
    void append(ByteBuf in, int count) {
        byte[] target = body;
        if (target == null) {
            throw new IllegalStateException("no message begun");
        }
        int needed = received + count;
        if (needed > target.length) {
            target = Arrays.copyOf(target, Math.min(lengthBytes, Math.max(needed, 2 * needed)));
            body = target;
        }
        in.readBytes(target, received, count);
        received = needed;
    }

    /** Hands out the complete message; the array is the caller's. */
    byte[] finish() {
        byte[] complete = body;
        if (complete == null || received != lengthBytes) {
            throw new IllegalStateException("message not complete");
        }
        body = null;
        return complete;
    }

    /** The message will not be completed. */
    void discard() {
        body = null;
    }
}
