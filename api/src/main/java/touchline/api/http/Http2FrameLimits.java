package touchline.api.http;

import io.helidon.http.http2.Http2ErrorCode;
import io.helidon.http.http2.Http2Exception;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts the frames of an HTTP/2 connection that cost its client nothing, and ends the connection
 * above the limits: empty and control frames, resets, and frames of one header block. Source: RFC
 * 9113, 4.1, 6 and 10.5. The connection's thread uses it.
 */
final class Http2FrameLimits {
    /** CONTINUATION frames of one header block; a head of 32 KiB needs two. */
    private static final int MAX_CONTINUATIONS = 16;

    private static final int MAX_CONTROL_FRAMES = 500;
    private static final int MAX_RESETS = 200;

    private static final int PREFACE_BYTES = 24;
    private static final int HEAD_BYTES = 9;
    private static final int TYPE_AT = 3;
    private static final int FLAGS_AT = 4;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int CONTINUATION = 9;
    private static final int END_STREAM = 0x1;
    private static final int END_HEADERS = 0x4;

    private final ApiConnection deadlines;
    private final Rate control;
    private final Rate resets;
    private final byte[] head = new byte[HEAD_BYTES];
    private int headBytes;
    private long skipped = PREFACE_BYTES;
    private int continuations;

    Http2FrameLimits(ApiConnection deadlines, LongSupplier nanoTime) {
        this.deadlines = deadlines;
        this.control = new Rate(MAX_CONTROL_FRAMES, TimeUnit.SECONDS.toNanos(10), nanoTime);
        this.resets = new Rate(MAX_RESETS, TimeUnit.SECONDS.toNanos(30), nanoTime);
    }

    /**
     * @throws Http2Exception above a limit
     */
    void received(byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            if (skipped > 0) {
                int step = (int) Math.min(skipped, bytes.length - at);
                skipped -= step;
                at += step;
            } else {
                head[headBytes++] = bytes[at++];
                if (headBytes == HEAD_BYTES) {
                    headBytes = 0;
                    skipped = length();
                    frame(head[TYPE_AT], head[FLAGS_AT]);
                }
            }
        }
    }

    private int length() {
        return (head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | (head[2] & 0xff);
    }

    private void frame(int type, int flags) {
        switch (type) {
            case DATA -> {
                if (skipped == 0 && (flags & END_STREAM) == 0) {
                    control.count("empty frames");
                }
            }
            case HEADERS -> {
                continuations = 0;
                deadlines.headerBlock((flags & END_HEADERS) == 0);
            }
            case CONTINUATION -> {
                if (++continuations > MAX_CONTINUATIONS) {
                    throw tooMany("CONTINUATION frames");
                }
                if ((flags & END_HEADERS) != 0) {
                    deadlines.headerBlock(false);
                }
            }
            case RST_STREAM -> resets.count("resets");
            default -> control.count("control frames");
        }
    }

    private static Http2Exception tooMany(String what) {
        return new Http2Exception(Http2ErrorCode.ENHANCE_YOUR_CALM, "too many " + what);
    }

    /** At most so many in each window of time. */
    private static final class Rate {
        private final int max;
        private final long windowNs;
        private final LongSupplier nanoTime;
        private long startNs;
        private int count;

        Rate(int max, long windowNs, LongSupplier nanoTime) {
            this.max = max;
            this.windowNs = windowNs;
            this.nanoTime = nanoTime;
            this.startNs = nanoTime.getAsLong();
        }

        void count(String what) {
            long now = nanoTime.getAsLong();
            if (now - startNs >= windowNs) {
                startNs = now;
                count = 0;
            }
            if (++count > max) {
                throw tooMany(what);
            }
        }
    }
}
