package touchline.media.rendition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoFrameTap;

/**
 * Composited frames that wait for the units of the program that have the same presentation times.
 * Holds references, no copies; when it is full, new frames are not taken. The compositor offers,
 * one thread takes.
 */
final class CompositedFrames implements VideoFrameTap, AutoCloseable {
    private static final int MAX_FRAMES = 12;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<VideoFrame> frames = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean wanted;

    @GuardedBy("lock")
    private boolean closed;

    @Override
    public boolean isDue(long ptsTicks) {
        lock.lock();
        try {
            return wanted && !closed && frames.size() < MAX_FRAMES;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void offer(VideoFrame shared) {
        lock.lock();
        try {
            if (wanted && !closed && frames.size() < MAX_FRAMES) {
                frames.add(shared);
                return;
            }
        } finally {
            lock.unlock();
        }
        shared.close();
    }

    /** Whether frames are taken; false drops those that wait. */
    void want(boolean now) {
        lock.lock();
        try {
            wanted = now;
            if (!now) {
                clear();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes the frame with this time, for the caller to close; drops earlier ones. */
    Optional<VideoFrame> take(long ptsTicks) {
        lock.lock();
        try {
            while (!frames.isEmpty() && frames.getFirst().ptsTicks() < ptsTicks) {
                frames.removeFirst().close();
            }
            return !frames.isEmpty() && frames.getFirst().ptsTicks() == ptsTicks
                    ? Optional.of(frames.removeFirst())
                    : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void clear() {
        frames.forEach(VideoFrame::close);
        frames.clear();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            clear();
        } finally {
            lock.unlock();
        }
    }
}
