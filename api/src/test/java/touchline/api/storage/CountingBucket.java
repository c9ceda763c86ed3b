package touchline.api.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjLongConsumer;

/** A bucket that counts its requests. */
public final class CountingBucket implements ObjectBucket {
    private final ObjectBucket bucket;
    public final AtomicInteger puts = new AtomicInteger();
    public final AtomicInteger lists = new AtomicInteger();
    public final AtomicInteger deletes = new AtomicInteger();

    /** Closes the bucket. */
    public CountingBucket(ObjectBucket bucket) {
        this.bucket = bucket;
    }

    @Override
    public void put(String key, ObjectStorage.FileSlice content, String contentType)
            throws IOException {
        puts.incrementAndGet();
        bucket.put(key, content, contentType);
    }

    @Override
    public long fetch(String key, Path to) throws IOException {
        return bucket.fetch(key, to);
    }

    @Override
    public long fetch(String key, Path to, long sizeBytes) throws IOException {
        return bucket.fetch(key, to, sizeBytes);
    }

    @Override
    public void visit(String prefix, ObjLongConsumer<String> visitor) throws StorageException {
        lists.incrementAndGet();
        bucket.visit(prefix, visitor);
    }

    @Override
    public void delete(Collection<String> keys) throws StorageException {
        deletes.incrementAndGet();
        bucket.delete(keys);
    }

    @Override
    public void close() {
        bucket.close();
    }
}
