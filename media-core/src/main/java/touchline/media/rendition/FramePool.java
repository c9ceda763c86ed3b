package touchline.media.rendition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;

/** Frames of one format that are used again. Any thread. */
final class FramePool implements AutoCloseable {
    private final FrameFormat format;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<VideoFrame> free = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean closed;

    FramePool(FrameFormat format) {
        this.format = format;
    }

    FrameFormat format() {
        return format;
    }

    /** Returns a frame with any content; the caller gives it back, or closes it. */
    VideoFrame take() {
        lock.lock();
        try {
            VideoFrame reused = free.poll();
            if (reused != null) {
                return reused;
            }
        } finally {
            lock.unlock();
        }
        return VideoFrame.allocate(format);
    }

    void giveBack(VideoFrame frame) {
        lock.lock();
        try {
            if (!closed) {
                free.push(frame);
                return;
            }
        } finally {
            lock.unlock();
        }
        frame.close();
    }

    /** Frames that are out are closed when they are given back. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            free.forEach(VideoFrame::close);
            free.clear();
        } finally {
            lock.unlock();
        }
    }
}
