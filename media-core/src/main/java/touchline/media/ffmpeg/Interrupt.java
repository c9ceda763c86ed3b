package touchline.media.ffmpeg;

import java.time.Duration;
import org.bytedeco.ffmpeg.avformat.AVIOInterruptCB;
import org.bytedeco.javacpp.Pointer;

/**
 * What libavformat asks, several times a second, whether it shall give up: after {@link #stop} from
 * any thread, or past the deadline of the current call. Must be kept reachable for as long as the
 * context that asks it.
 */
public final class Interrupt extends AVIOInterruptCB.Callback_Pointer {
    // Written by the owner before each call and by whoever stops; read by the same native call's
    // thread and by helpers of libavformat: single values, so volatile is enough.
    private volatile boolean stopped;
    private volatile long deadlineNs = Long.MAX_VALUE;
    private volatile boolean expired;

    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Whether a call was given up because it took too long. */
    public boolean isExpired() {
        return expired;
    }

    /** Counts from now. */
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
