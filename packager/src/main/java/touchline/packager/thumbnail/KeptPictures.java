package touchline.packager.thumbnail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import touchline.packager.thumbnail.KeyFrame.PictureId;

/**
 * Thumbnails that were asked for last, as many as fit, and which of them answered what; so is
 * remembered of a key frame that it cannot be decoded. Any thread.
 */
final class KeptPictures {
    /** Of an entry beside its bytes, and of one that could not be made. */
    static final int OVERHEAD_BYTES = 512;

    private static final int MAX_ANSWERS = 4096;

    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<PictureId, ThumbnailResult> pictures = recent();

    @GuardedBy("lock")
    private final Map<Asked, PictureId> answers = recent();

    @GuardedBy("lock")
    private long bytes;

    KeptPictures(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    Optional<ThumbnailResult> answer(Asked asked) {
        lock.lock();
        try {
            PictureId id = answers.get(asked);
            return id == null ? Optional.empty() : Optional.ofNullable(pictures.get(id));
        } finally {
            lock.unlock();
        }
    }

    Optional<ThumbnailResult> picture(PictureId id) {
        lock.lock();
        try {
            return Optional.ofNullable(pictures.get(id));
        } finally {
            lock.unlock();
        }
    }

    void answered(Asked asked, PictureId with) {
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

    void keep(PictureId id, ThumbnailResult result) {
        lock.lock();
        try {
            ThumbnailResult before = pictures.put(id, result);
            bytes += bytesOf(result) - (before == null ? 0 : bytesOf(before));
            while (bytes > maxBytes && !pictures.isEmpty()) {
                bytes -= bytesOf(dropEldest(pictures));
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
        return result instanceof ThumbnailResult.Made(var picture)
                ? picture.sizeBytes() + OVERHEAD_BYTES
                : OVERHEAD_BYTES;
    }

    private static <K, V> Map<K, V> recent() {
        return new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);
    }

    private static <K, V> V dropEldest(Map<K, V> map) {
        Iterator<Map.Entry<K, V>> all = map.entrySet().iterator();
        V eldest = all.next().getValue();
        all.remove();
        return eldest;
    }
}
