package touchline.ingest.rtmp;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * State of one chunk stream: the header fields that the next chunk may leave out, and the message
 * that is not complete yet. One event loop.
 */
final class ChunkStream {
    private static final byte[] NOTHING = new byte[0];

    /** Above this an array grows as bytes arrive, instead of having the announced length. */
    private static final int TRUSTED_BYTES = 64 << 10;

    /** Time of the current message, 32 bits as on the wire. */
    int timestamp;

    /** A message with a type 3 header adds this to the timestamp of the message before it. */
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

    /** Returns the bytes that the unfinished message occupies. */
    int heldBytes() {
        return body == null ? 0 : body.length;
    }

    /** Starts a message. The caller has checked the announced length. */
    void begin() {
        body = lengthBytes == 0 ? NOTHING : new byte[Math.min(lengthBytes, TRUSTED_BYTES)];
        received = 0;
    }

    int missingBytes() {
        return lengthBytes - received;
    }

    /**
     * Copies bytes of the message into its array. A message above {@value #TRUSTED_BYTES} bytes is
     * copied again whenever its array grows, which doubles it.
     */
    void append(ByteBuf in, int count) {
        byte[] target = body;
        if (target == null) {
            throw new IllegalStateException("no message has begun");
        }
        int needed = received + count;
        if (needed > target.length) {
            target = Arrays.copyOf(target, Math.min(lengthBytes, Math.max(needed, 2 * needed)));
            body = target;
        }
        in.readBytes(target, received, count);
        received = needed;
    }

    /** Returns the complete message. The caller owns the array. */
    byte[] finish() {
        byte[] complete = body;
        if (complete == null || received != lengthBytes) {
            throw new IllegalStateException("message not complete");
        }
        body = null;
        return complete;
    }

    /** Drops the unfinished message. */
    void discard() {
        body = null;
    }
}
