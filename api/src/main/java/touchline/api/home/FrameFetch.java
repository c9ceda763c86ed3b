package touchline.api.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.domain.RandomText;
import touchline.api.storage.ObjectBucket;
import touchline.packager.hls.MediaAwayException;

/**
 * Brings evidence frames from S3 into a folder of their own, which is empty at each start. Each
 * frame is fetched once for all that wait for it, and only one that has the length and the checksum
 * of its record gets its name. The folder has a limit; what was not used for an hour leaves, so a
 * frame that retention has deleted does too. Any thread.
 */
final class FrameFetch {
    private static final Logger log = LoggerFactory.getLogger(FrameFetch.class);
    private static final int TRIES = 3;
    private static final int NAME_BITS = 64;

    /** A frame is a JPEG of a few megabytes at most. */
    private static final long MOST_FRAME_BYTES = 32L << 20;

    private static final long MOST_BYTES = 256L << 20;

    /** Frames that are fetched or wait for it; about as many at once when S3 hangs. */
    private static final int MOST_COMING = 256;

    private static final Duration KEPT = Duration.ofHours(1);

    /** A response may be about to open a file that was used a moment ago. */
    private static final Duration MOMENT = Duration.ofMinutes(1);

    private final Path folder;
    private final ObjectBucket bucket;
    private final ObjectKeys keys;
    private final HomeCounters counters;
    private final LongSupplier leastFreeBytes;
    private final InstantSource clock;
    private final Semaphore places;
    private final Map<FrameName, CompletableFuture<Path>> running = new ConcurrentHashMap<>();
    private final ReentrantLock trimming = new ReentrantLock();

    private record Copy(Path file, long bytes, Instant usedAt) {}

    /**
     * What it works with; borrowed.
     *
     * @param folder exists; belongs to this class
     * @param leastFreeBytes nothing is fetched while the disk has less
     * @param parallel frames at once
     */
    record Dependencies(
            Path folder,
            ObjectBucket bucket,
            ObjectKeys keys,
            HomeCounters counters,
            LongSupplier leastFreeBytes,
            InstantSource clock,
            int parallel) {}

    FrameFetch(Dependencies dependencies) {
        this.folder = dependencies.folder();
        this.bucket = dependencies.bucket();
        this.keys = dependencies.keys();
        this.counters = dependencies.counters();
        this.leastFreeBytes = dependencies.leastFreeBytes();
        this.clock = dependencies.clock();
        this.places = new Semaphore(dependencies.parallel());
    }

    /** See {@link touchline.api.audit.FrameHome#bring}. */
    CompletableFuture<Path> bring(FrameName frame, FrameContent content) {
        if (running.size() >= MOST_COMING) {
            return CompletableFuture.failedFuture(
                    new MediaAwayException("too many frames come from S3"));
        }
        CompletableFuture<Path> mine = new CompletableFuture<>();
        CompletableFuture<Path> other = running.putIfAbsent(frame, mine);
        if (other != null) {
            // Each caller may give up by itself.
            return other.copy();
        }
        Thread.ofVirtual()
                .name("s3-evidence-fetch")
                .start(
                        () -> {
                            try {
                                mine.complete(brought(frame, content));
                            } catch (IOException | RuntimeException | Error e) {
                                mine.completeExceptionally(e);
                            } finally {
                                running.remove(frame, mine);
                            }
                        });
        return mine.copy();
    }

    private Path brought(FrameName frame, FrameContent content) throws IOException {
        Path file = folder.resolve(frame + ".jpg");
        places.acquireUninterruptibly();
        try {
            if (Files.exists(file)) {
                Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
                return file;
            }
            checkRoom(content);
            fetch(keys.of(frame), content, file);
            counters.fetched(content.sizeBytes());
            return file;
        } catch (NoSuchFileException e) {
            throw e;
        } catch (MediaAwayException e) {
            counters.fetchFailed();
            throw e;
        } finally {
            places.release();
        }
    }

    private void checkRoom(FrameContent content) throws IOException {
        if (content.sizeBytes() > MOST_FRAME_BYTES) {
            throw new MediaAwayException(
                    "%d bytes (expected: <= %d)".formatted(content.sizeBytes(), MOST_FRAME_BYTES));
        }
        if (Files.getFileStore(folder).getUsableSpace() < leastFreeBytes.getAsLong()) {
            throw new MediaAwayException("the disk has no space for frames from S3");
        }
        if (trim(content.sizeBytes()) > MOST_BYTES) {
            throw new MediaAwayException("too many frames come from S3");
        }
    }

    private void fetch(String key, FrameContent content, Path file) throws IOException {
        for (int tries = 1; ; tries++) {
            Path temporary = folder.resolve(RandomText.ofBits(NAME_BITS) + ".tmp");
            try {
                long bytes = bucket.fetch(key, temporary, content.sizeBytes());
                if (!content.isOf(temporary)) {
                    throw new IOException(
                            "%d bytes with another checksum than the record's".formatted(bytes));
                }
                Files.setLastModifiedTime(temporary, FileTime.from(clock.instant()));
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
                return;
            } catch (NoSuchFileException e) {
                throw e;
            } catch (IOException e) {
                log.warn("{} did not come from S3: {}", key, e.toString());
                if (tries == TRIES) {
                    throw new MediaAwayException("S3: " + e.getMessage(), e);
                }
            } finally {
                Files.deleteIfExists(temporary);
            }
        }
    }

    /** Removes what was not used for long. */
    void trim() throws IOException {
        long _ = trim(0);
    }

    /** The same, and room for further bytes as far as possible. Returns all bytes with these. */
    private long trim(long moreBytes) throws IOException {
        trimming.lock();
        try {
            Instant now = clock.instant();
            long bytes = moreBytes;
            List<Copy> copies = copies();
            for (Copy each : copies) {
                bytes += each.bytes();
            }
            copies.sort(Comparator.comparing(Copy::usedAt));
            for (Copy each : copies) {
                boolean old = each.usedAt().isBefore(now.minus(KEPT));
                boolean free = each.usedAt().isBefore(now.minus(MOMENT));
                if (old || (free && bytes > MOST_BYTES)) {
                    Files.deleteIfExists(each.file());
                    bytes -= each.bytes();
                }
            }
            return bytes;
        } finally {
            trimming.unlock();
        }
    }

    private List<Copy> copies() throws IOException {
        List<Copy> copies = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                try {
                    copies.add(
                            new Copy(
                                    file,
                                    Files.size(file),
                                    Files.getLastModifiedTime(file).toInstant()));
                } catch (NoSuchFileException _) {
                    // A temporary file that has its name now.
                }
            }
        }
        return copies;
    }
}
