package touchline.api.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;
import touchline.api.storage.ObjectStorage.FileSlice;
import touchline.api.storage.StorageException.Kind;

/**
 * Uploads a folder of output files: several at once, large ones in parts. The entry file comes
 * last, after all files that it names are stored and verified. One upload; one thread waits for it.
 */
public final class OutputUpload {
    /** S3 allows 10 000 parts; the size of each grows with the file. */
    private static final int MAX_PARTS = 9_000;

    private static final int AT_ONCE = 4;

    private final ObjectStorage storage;
    private final DoubleConsumer progress;
    private final AtomicLong doneBytes = new AtomicLong();
    private long totalBytes;

    /**
     * @param storage borrowed
     * @param progress receives a share from 0 to 1, on several threads
     */
    public OutputUpload(ObjectStorage storage, DoubleConsumer progress) {
        this.storage = storage;
        this.progress = progress;
    }

    /**
     * @param entry local file that players open
     * @param entryName its name in the storage
     * @param keyPrefix of all keys, ending in a slash
     */
    public record Output(Path folder, String entry, String entryName, String keyPrefix) {}

    private record Item(Path file, String key, long sizeBytes) {}

    /**
     * Uploads all files and verifies them by reading them.
     *
     * @throws StorageException a failure; uploaded objects remain
     */
    public void run(Output output) throws IOException, InterruptedException {
        List<Item> items = new ArrayList<>();
        Item entry = null;
        try (Stream<Path> tree = Files.walk(output.folder())) {
            for (Path file : tree.filter(Files::isRegularFile).sorted().toList()) {
                String name = output.folder().relativize(file).toString();
                boolean first = name.equals(output.entry());
                Item item =
                        new Item(
                                file,
                                output.keyPrefix() + (first ? output.entryName() : name),
                                Files.size(file));
                totalBytes += item.sizeBytes();
                if (first) {
                    entry = item;
                } else {
                    items.add(item);
                }
            }
        }
        if (entry == null) {
            throw new IllegalStateException("output without " + output.entry());
        }
        Parallel.run(AT_ONCE, items.stream().<Parallel.Step>map(each -> () -> put(each)).toList());
        put(entry);
    }

    private void put(Item item) throws IOException, InterruptedException {
        String type = ContentTypes.of(item.key());
        if (item.sizeBytes() <= storage.maxPutBytes()) {
            storage.put(item.key(), new FileSlice(item.file(), 0, item.sizeBytes()), type);
        } else {
            putInParts(item, type);
        }
        moved(item.sizeBytes());
        verify(item);
        moved(item.sizeBytes());
    }

    private void putInParts(Item item, String type) throws IOException, InterruptedException {
        long partBytes = Math.max(storage.maxPutBytes(), Math.ceilDiv(item.sizeBytes(), MAX_PARTS));
        ObjectStorage.Parts parts = storage.begin(item.key(), type);
        boolean whole = false;
        try {
            List<Parallel.Step> steps = new ArrayList<>();
            for (long at = 0; at < item.sizeBytes(); at += partBytes) {
                int number = steps.size() + 1;
                FileSlice part =
                        new FileSlice(item.file(), at, Math.min(partBytes, item.sizeBytes() - at));
                steps.add(() -> parts.put(number, part));
            }
            Parallel.run(AT_ONCE, steps);
            parts.complete();
            whole = true;
        } finally {
            if (!whole) {
                abort(parts);
            }
        }
    }

    private static void abort(ObjectStorage.Parts parts) {
        try {
            parts.abort();
        } catch (StorageException _) {
            // The sweep of the task's keys deletes it later.
        }
    }

    private void verify(Item item) throws IOException {
        MessageDigest stored = sha256();
        AtomicLong size = new AtomicLong();
        try (OutputStream counting =
                new DigestOutputStream(OutputStream.nullOutputStream(), stored) {
                    @Override
                    public void write(byte[] bytes, int offset, int length) throws IOException {
                        size.addAndGet(length);
                        super.write(bytes, offset, length);
                    }
                }) {
            storage.read(item.key(), counting);
        }
        boolean same =
                size.get() == item.sizeBytes()
                        && MessageDigest.isEqual(stored.digest(), localDigest(item.file()));
        if (!same) {
            throw new StorageException(
                    Kind.DAMAGED, "endpoint", "what was read back is not what was written");
        }
    }

    private static byte[] localDigest(Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = Files.newInputStream(file)) {
            in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
        }
        return digest.digest();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private void moved(long bytes) {
        long done = doneBytes.addAndGet(bytes);
        progress.accept(totalBytes == 0 ? 1 : Math.min(1, done / (2.0 * totalBytes)));
    }

    /** Deletes all objects under a prefix, and unfinished uploads. */
    public static void sweep(ObjectStorage storage, String keyPrefix)
            throws IOException, InterruptedException {
        storage.abortUploads(keyPrefix);
        List<Parallel.Step> steps = new ArrayList<>();
        for (String key : storage.list(keyPrefix)) {
            steps.add(() -> storage.delete(key));
        }
        Parallel.run(AT_ONCE, steps);
    }
}
