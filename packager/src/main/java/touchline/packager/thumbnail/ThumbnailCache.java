package touchline.packager.thumbnail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import touchline.packager.thumbnail.KeyFrame.FrameId;

/**
 * The most recently requested thumbnails, as many as fit, and the queries they answer; also key
 * frames that cannot be decoded. Any thread.
 */
final class ThumbnailCache {
    /** Memory of an entry in addition to its bytes. */
    static final int OVERHEAD_BYTES = 512;

    private static final int MAX_ANSWERS = 4096;

    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<FrameId, ThumbnailResult> frames = recent();

    @GuardedBy("lock")
    private final Map<ThumbnailQuery, FrameId> answers = recent();

    @GuardedBy("lock")
    private long bytes;

    ThumbnailCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    Optional<ThumbnailResult> answer(ThumbnailQuery asked) {
        lock.lock();
        try {
            FrameId id = answers.get(asked);
            return id == null ? Optional.empty() : Optional.ofNullable(frames.get(id));
        } finally {
            lock.unlock();
        }
    }

    Optional<ThumbnailResult> frame(FrameId id) {
        lock.lock();
        try {
            return Optional.ofNullable(frames.get(id));
        } finally {
            lock.unlock();
        }
    }

    void answered(ThumbnailQuery asked, FrameId with) {
        lock.lock();
        try {
            answers.put(asked, with);
            if (answers.size() > MAX_ANSWERS) {
                dropEldest(answers);
            }
        } finally {
            lock.unlock();
        }
    }

    void keep(FrameId id, ThumbnailResult result) {
        lock.lock();
        try {
            ThumbnailResult before = frames.put(id, result);
            bytes += bytesOf(result) - (before == null ? 0 : bytesOf(before));
            while (bytes > maxBytes && !frames.isEmpty()) {
                bytes -= bytesOf(dropEldest(frames));
            }
        } finally {
            lock.unlock();
        }
    }

    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    private static int bytesOf(ThumbnailResult result) {
        return result instanceof ThumbnailResult.Made(var frame)
                ? frame.sizeBytes() + OVERHEAD_BYTES
                : OVERHEAD_BYTES;
    }

    private static <K, V> Map<K, V> recent() {
        return new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);
    }

    private static <K, V> V dropEldest(Map<K, V> map) {
        Iterator<Map.Entry<K, V>> all = map.entrySet().iterator();
        V oldest = all.next().getValue();
        all.remove();
        return oldest;
    }
}
