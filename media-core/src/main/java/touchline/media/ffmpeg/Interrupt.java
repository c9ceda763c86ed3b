package touchline.media.ffmpeg;

import java.time.Duration;
import org.bytedeco.ffmpeg.avformat.AVIOInterruptCB;
import org.bytedeco.javacpp.Pointer;

/**
 * libavformat's interrupt callback, called several times per second. It aborts after {@link #stop}
 * from any thread, or after the deadline of the current call. Must stay reachable as long as the
 * context that uses it.
 */
public final class Interrupt extends AVIOInterruptCB.Callback_Pointer {
    // The owner writes these before each call; stop() writes on any thread. The thread of the
    // native
    // call and libavformat's helpers read them. Each is a single value, so volatile is enough.
    private volatile boolean stopped;
    private volatile long deadlineNs = Long.MAX_VALUE;
    private volatile boolean expired;

    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Whether a call was aborted after its deadline. */
    public boolean isExpired() {
        return expired;
    }

    /** Sets the deadline, counted from now. */
    public void allow(Duration time) {
        deadlineNs = System.nanoTime() + time.toNanos();
    }

    @Override
    public int call(Pointer opaque) {
        if (stopped) {
            return 1;
        }
        if (deadlineNs != Long.MAX_VALUE && System.nanoTime() - deadlineNs > 0) {
            expired = true;
            return 1;
        }
        return 0;
    }
}
