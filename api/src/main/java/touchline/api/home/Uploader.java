package touchline.api.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetFolders;
import touchline.api.db.AssetUploads;
import touchline.api.db.AssetUploads.Pending;
import touchline.api.domain.AssetId;
import touchline.api.storage.Parallel;
import touchline.api.storage.StorageException;

/**
 * Copies the files of finished assets to S3, and watches over the uploads of recordings that run
 * ({@link GrowingUploads}). It keeps no queue: rows say which assets are not there yet, and their
 * folders and objects say which files. So nothing is lost by a restart, and memory does not grow
 * while S3 is away. Of each asset some files are uploaded at a time.
 *
 * <p>One virtual thread; each file is read and sent by one of its own.
 */
final class Uploader {
    private static final Logger log = LoggerFactory.getLogger(Uploader.class);
    private static final int LISTED_AT_ONCE = 200;
    private static final int FILES_A_TURN = 64;

    /** A folder that cannot be read is tried again after this time. */
    private static final Duration UNREADABLE_PAUSE = Duration.ofMinutes(1);

    private final AssetFolders folders;
    private final AssetUploads uploads;
    private final ObjectWriter writer;
    private final GrowingUploads growing;
    private final HomeCounters counters;
    private final InstantSource clock;
    private final int parallel;
    private final long startedMs;
    private final RetryLoop loop;

    // Used by the loop's thread only.
    /** Names of media files that are in S3, of assets that are on their way. */
    private final Map<AssetId, Set<String>> stored = new HashMap<>();

    /** Names of their tails, of which nothing is needed when all files are there. */
    private final Map<AssetId, Set<String>> tails = new HashMap<>();

    /** Whether the store has refused segments of recordings that run. */
    private boolean isRefusing;

    /** When an asset whose folder could not be read is tried again. */
    private final Map<AssetId, Long> unreadableUntilMs = new HashMap<>();

    /**
     * What it works with; borrowed.
     *
     * @param parallel files at once
     * @param pause between two looks at what there is to do
     */
    record Dependencies(
            AssetFolders folders,
            AssetUploads uploads,
            ObjectWriter writer,
            GrowingUploads growing,
            InstantSource clock,
            int parallel,
            Duration pause) {}

    Uploader(Dependencies dependencies) {
        this.folders = dependencies.folders();
        this.uploads = dependencies.uploads();
        this.writer = dependencies.writer();
        this.growing = dependencies.growing();
        this.counters = writer.counters();
        this.clock = dependencies.clock();
        this.parallel = dependencies.parallel();
        this.startedMs = clock.millis();
        this.loop =
                new RetryLoop(
                        "s3-upload", "recordings", dependencies.pause(), this::turn, this::reached);
    }

    void start() {
        growing.start();
        loop.start();
    }

    /** Ends uploads in progress: the next start begins these files anew. */
    void close() {
        loop.close();
        growing.close();
    }

    /** The store takes recordings if it takes those that run as well. */
    private void reached(boolean taken) {
        if (!taken) {
            counters.uploadFailed();
        }
        Optional<String> refused = growing.failure();
        if (refused.isPresent() && !isRefusing) {
            log.warn("S3 takes no recordings that run, they wait here: {}", refused.get());
        } else if (refused.isEmpty() && isRefusing) {
            log.info("S3 takes recordings that run again");
        }
        isRefusing = refused.isPresent();
        counters.recordingsTaken(taken && refused.isEmpty());
    }

    /**
     * Begins and ends uploads of running recordings, and uploads some files of one finished asset;
     * true if there may be more to do at once.
     */
    boolean turn() throws IOException, InterruptedException {
        List<Pending> pending = uploads.pending(LISTED_AT_ONCE + unreadableUntilMs.size());
        Set<AssetId> open = new HashSet<>();
        pending.forEach(each -> open.add(each.id()));
        stored.keySet().retainAll(open);
        tails.keySet().retainAll(open);
        unreadableUntilMs.keySet().retainAll(open);
        count(pending);
        counters.unreadable(
                pending.stream()
                        .filter(asset -> !asset.live() && unreadableUntilMs.containsKey(asset.id()))
                        .map(Pending::id)
                        .toList());
        watch(pending);
        for (Pending asset : pending) {
            if (loop.isStopping()) {
                return false;
            }
            if (!asset.live()
                    && unreadableUntilMs.getOrDefault(asset.id(), 0L) <= clock.millis()
                    && growing.hasEnded(asset.id())
                    && finished(asset.id())) {
                return true;
            }
        }
        return false;
    }

    private void watch(List<Pending> pending) {
        Set<AssetId> over = new HashSet<>(growing.assets());
        for (Pending asset : pending) {
            over.remove(asset.id());
            // A copy is of a lost disk, and is being finished.
            if (asset.live() && !folders.isCopy(asset.id())) {
                growing.ensure(asset.id());
            }
        }
        // One that has just begun is not playable, so it is not among those that wait.
        over.removeIf(uploads::isLive);
        over.forEach(growing::hasEnded);
    }

    private void count(List<Pending> pending) {
        AssetUploads.Backlog finished = uploads.backlog();
        Waiting sum =
                new Waiting(
                        finished.bytes(),
                        finished.oldest().map(Instant::toEpochMilli).orElse(Long.MAX_VALUE));
        for (Pending asset : pending) {
            if (asset.live()) {
                sum = sum.and(waiting(asset.id()));
            }
        }
        // What waited while the server was stopped counts from its start.
        counters.backlog(
                sum.bytes(),
                sum.sinceMs() == Long.MAX_VALUE
                        ? OptionalLong.empty()
                        : OptionalLong.of(Math.max(sum.sinceMs(), startedMs)));
    }

    /** Full files of a running recording that are not in S3, and segments of the one that grows. */
    private Waiting waiting(AssetId asset) {
        Waiting sum = growing.waiting(asset);
        Path folder = folders.of(asset);
        try {
            for (String name : FolderContent.growing(folder).media()) {
                if (growing.hasStored(asset, name)) {
                    continue;
                }
                Path file = folder.resolve(name);
                sum =
                        sum.and(
                                new Waiting(
                                        Files.size(file),
                                        Files.getLastModifiedTime(file).toMillis()));
            }
        } catch (IOException e) {
            log.debug("asset={} its folder is not read: {}", asset, e.toString());
        }
        return sum;
    }

    private List<String> missing(AssetId asset, List<String> names) {
        Set<String> there = stored.getOrDefault(asset, Set.of());
        return names.stream().filter(name -> !there.contains(name)).toList();
    }

    /** True if something was uploaded. */
    private boolean finished(AssetId asset) throws IOException, InterruptedException {
        FolderContent content;
        try {
            content = FolderContent.finished(folders.of(asset));
        } catch (IOException e) {
            return unreadable(asset, e);
        }
        if (upload(asset, content.media())) {
            return true;
        }
        if (!missing(asset, content.media()).isEmpty()) {
            return false;
        }
        // They may have changed since they were uploaded. The index comes last.
        if (!content.heads().isEmpty()
                && put(asset, content.heads().subList(0, content.heads().size() - 1))
                && put(asset, List.of(content.heads().getLast()))) {
            writer.deleteTails(asset, tails.getOrDefault(asset, Set.of()));
            finish(asset, content);
            return true;
        }
        return false;
    }

    private void finish(AssetId asset, FolderContent uploaded) throws IOException {
        stored.remove(asset);
        tails.remove(asset);
        if (!uploads.finish(asset, clock.instant())) {
            return;
        }
        if (FolderContent.finished(folders.of(asset)).equals(uploaded)) {
            log.info("asset={} is in S3", asset);
        } else {
            // A scaled copy or an MP4's head was made meanwhile.
            uploads.reopen(asset);
        }
    }

    /** Uploads what is not there, as much as one turn allows; true if there is more. */
    private boolean upload(AssetId asset, List<String> names)
            throws IOException, InterruptedException {
        if (!stored.containsKey(asset)) {
            if (!uploads.begin(asset, clock.instant())) {
                return false;
            }
            stored.put(asset, listed(asset));
        }
        List<String> missing = missing(asset, names);
        List<String> some = missing.subList(0, Math.min(FILES_A_TURN, missing.size()));
        return put(asset, some) && some.size() < missing.size();
    }

    /** What was uploaded while it ran. An object of another size is another content. */
    private Set<String> listed(AssetId asset) throws StorageException {
        Set<String> names = new HashSet<>();
        StoredObjects there = StoredObjects.list(writer.bucket(), writer.keys(), asset);
        tails.put(asset, there.tails().keySet());
        there.files()
                .forEach(
                        (name, bytes) -> {
                            if (FolderContent.hasSize(folders.of(asset).resolve(name), bytes)) {
                                names.add(name);
                            }
                        });
        return names;
    }

    /** False if a file cannot be read. */
    private boolean put(AssetId asset, List<String> names)
            throws IOException, InterruptedException {
        List<Parallel.Step> steps = new ArrayList<>();
        Set<String> there = stored.computeIfAbsent(asset, _ -> new HashSet<>());
        Set<String> done = ConcurrentHashMap.newKeySet();
        for (String name : names) {
            steps.add(
                    () -> {
                        writer.put(asset, name);
                        done.add(name);
                    });
        }
        try {
            Parallel.run(parallel, steps);
            return true;
        } catch (StorageException e) {
            throw e;
        } catch (IOException e) {
            return unreadable(asset, e);
        } finally {
            there.addAll(done);
        }
    }

    private boolean unreadable(AssetId asset, IOException failure) {
        if (!(failure instanceof NoSuchFileException)) {
            log.warn(
                    "asset={} is not uploaded, will be tried again: {}", asset, failure.toString());
        }
        unreadableUntilMs.put(asset, clock.millis() + UNREADABLE_PAUSE.toMillis());
        return false;
    }
}
