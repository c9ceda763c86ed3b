package touchline.api.home;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetFiles.Rebuilt;
import touchline.api.asset.FolderTree;
import touchline.api.domain.AssetId;
import touchline.api.home.RebuildPlan.PlannedFile;
import touchline.api.storage.StorageException;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.MediaAwayException;
import touchline.packager.record.Recording;
import touchline.packager.record.Recording.Segment;
import touchline.packager.record.SegmentTail;

/**
 * Makes a recording that was never finished from what its node has brought into S3: a LIST, the
 * index, and the tails, of which it merges the file that grew. Files that are objects stay there.
 * It changes nothing in S3, so it may end anywhere and begin again. One thread for each asset.
 */
final class RecordingRebuild {
    private static final Logger log = LoggerFactory.getLogger(RecordingRebuild.class);

    private final Fetch.Dependencies parts;
    private final Fetch fetch;

    /** Assets whose folders are being made. */
    private final Set<AssetId> busy = ConcurrentHashMap.newKeySet();

    RecordingRebuild(Fetch.Dependencies parts, Fetch fetch) {
        this.parts = parts;
        this.fetch = fetch;
    }

    /** What there is. Costs a LIST and a GET. */
    RebuildPlan plan(AssetId asset) throws IOException {
        StoredObjects there = there(asset);
        Path scratch = Files.createTempDirectory("touchline-rebuild");
        try {
            return RebuildPlan.of(index(asset, there, scratch), there);
        } finally {
            FolderTree.remove(scratch);
        }
    }

    /**
     * Makes the index and the files that S3 lacks in the asset's folder, which is a copy then.
     *
     * @param ended false: the index is left open, for a recorder that goes on here
     * @return empty if there is no media
     * @throws MediaAwayException if the store does not answer; nothing is known then
     */
    Optional<Rebuilt> run(AssetId asset, boolean ended) throws IOException {
        if (!busy.add(asset)) {
            throw new MediaAwayException("asset " + asset + " is being read from S3 already");
        }
        try {
            return rebuilt(asset, ended);
        } catch (NoSuchFileException e) {
            throw new MediaAwayException("S3 lacks what it has just listed: " + e.getMessage(), e);
        } finally {
            busy.remove(asset);
        }
    }

    /**
     * The same for a recording that goes on here. This node may have recorded an earlier stretch of
     * it: its folder is made anew, unless it has segments that S3 lacks.
     *
     * @return empty if there is no media, or such segments
     */
    Optional<Rebuilt> reopen(AssetId asset) throws IOException {
        Path folder = parts.folders().of(asset);
        if (Files.isDirectory(folder) && !parts.folders().isCopy(asset)) {
            if (!isStored(asset, folder)) {
                log.warn("asset={} does not go on here: S3 lacks segments of this disk", asset);
                return Optional.empty();
            }
            FolderTree.remove(folder);
        }
        return run(asset, /* ended= */ false);
    }

    private boolean isStored(AssetId asset, Path folder) throws IOException {
        try {
            return plan(asset).hasAll(Recording.load(folder));
        } catch (NoSuchFileException | MalformedMediaException e) {
            log.warn("asset={} its index is not read: {}", asset, e.toString());
            return false;
        }
    }

    private Optional<Rebuilt> rebuilt(AssetId asset, boolean ended) throws IOException {
        StoredObjects there = there(asset);
        if (there.files().isEmpty() && there.tails().isEmpty()) {
            return Optional.empty();
        }
        Path folder = parts.folders().of(asset);
        parts.folders().markCopy(asset);
        Path scratch = Files.createDirectories(folder.resolve(ObjectKeys.TAIL));
        RebuildPlan plan = RebuildPlan.of(index(asset, there, scratch), there);
        for (Map.Entry<String, Long> file : there.files().entrySet()) {
            // What an earlier run has merged may have become an object since.
            if (!FolderContent.hasSize(folder.resolve(file.getKey()), file.getValue())) {
                Files.delete(folder.resolve(file.getKey()));
            }
        }
        fetch.ensure(
                asset,
                there.files().keySet().stream()
                        .filter(FolderContent::isInit)
                        .map(folder::resolve)
                        .toList());
        Map<Integer, Recording.Init> inits = new TreeMap<>();
        plan.index().inits().forEach(init -> inits.put(init.number(), init));
        List<Segment> segments = new ArrayList<>();
        for (PlannedFile file : plan.files()) {
            segments.addAll(file.segments());
            merge(asset, file, inits);
        }
        Recording scanned = scanned(asset, plan);
        scanned.inits().forEach(init -> inits.putIfAbsent(init.number(), init));
        scanned.segments().stream()
                .filter(segment -> plan.toScan().contains(segment.fileName()))
                .forEach(segments::add);
        segments.removeIf(
                segment ->
                        !inits.containsKey(segment.init())
                                || !Files.exists(
                                        folder.resolve(Recording.Init.fileName(segment.init()))));
        List<Recording.Listed> listed = new ArrayList<>(plan.index().listed());
        present(segments, scanned, listed);
        Recording rebuilt = recording(plan, inits, segments, listed, ended);
        if (!segments.isEmpty()) {
            rebuilt.save(folder);
        }
        FolderTree.remove(scratch);
        log.info(
                "asset={} is rebuilt from S3: {} segments, {} of them from tails",
                asset,
                segments.size(),
                plan.files().stream().mapToInt(file -> file.tails().size()).sum());
        return segments.isEmpty()
                ? Optional.empty()
                : Optional.of(new Rebuilt(rebuilt.durationUs(), sizeBytes(rebuilt, there)));
    }

    private static Recording recording(
            RebuildPlan plan,
            Map<Integer, Recording.Init> inits,
            List<Segment> segments,
            List<Recording.Listed> listed,
            boolean ended) {
        Set<Integer> used = new HashSet<>();
        segments.forEach(segment -> used.add(segment.init()));
        return new Recording(
                inits.values().stream().filter(init -> used.contains(init.number())).toList(),
                segments,
                plan.index().dates(),
                listed,
                ended);
    }

    /**
     * Orders segments. The last one lasts until its last frame was presented, as a scan finds it,
     * but playlists go on to list what they have listed.
     */
    private static void present(
            List<Segment> segments, Recording scanned, List<Recording.Listed> listed) {
        segments.sort(Comparator.comparingLong(Segment::mediaSequence));
        if (segments.isEmpty()) {
            return;
        }
        Segment last = segments.getLast();
        if (listed.stream().anyMatch(each -> each.mediaSequence() == last.mediaSequence())) {
            // It was the last one of an earlier server, too.
            return;
        }
        if (scanned.segments().contains(last)) {
            listed.addAll(scanned.listed());
            return;
        }
        scanned.segments().stream()
                .filter(found -> found.mediaSequence() == last.mediaSequence())
                .filter(found -> found.durationUs() > last.durationUs())
                .findFirst()
                .ifPresent(
                        found -> {
                            segments.set(segments.size() - 1, found);
                            listed.add(
                                    new Recording.Listed(last.mediaSequence(), last.durationUs()));
                        });
    }

    private StoredObjects there(AssetId asset) throws IOException {
        try {
            return StoredObjects.list(parts.bucket(), parts.keys(), asset);
        } catch (StorageException e) {
            parts.counters().fetchFailed();
            throw new MediaAwayException("S3: " + e.getMessage(), e);
        }
    }

    /** The index of a recording that ran has its first files only. */
    private Recording index(AssetId asset, StoredObjects there, Path scratch) throws IOException {
        Recording none = new Recording(List.of(), List.of(), /* ended= */ false);
        if (!there.files().containsKey(Recording.INDEX)) {
            return none;
        }
        Path index = scratch.resolve(Recording.INDEX);
        try {
            Files.deleteIfExists(index);
            long _ = fetch.fetched(parts.keys().of(asset, Recording.INDEX), index);
            return Recording.load(scratch);
        } catch (NoSuchFileException _) {
            return none;
        } catch (MalformedMediaException e) {
            log.warn("asset={} its index in S3 is not used: {}", asset, e.getMessage());
            return none;
        }
    }

    /** Where the index lacks an init segment's line, the first tail has what is in it. */
    private void merge(AssetId asset, PlannedFile file, Map<Integer, Recording.Init> inits)
            throws IOException {
        if (file.tails().isEmpty()) {
            return;
        }
        Path folder = parts.folders().of(asset);
        List<Path> tails =
                file.tails().stream()
                        .map(tail -> folder.resolve(ObjectKeys.TAIL).resolve(tail.name()))
                        .toList();
        fetch.ensure(asset, tails);
        Segment first = file.segments().getFirst();
        if (!inits.containsKey(first.init())) {
            inits.put(
                    first.init(),
                    new Recording.Init(
                            first.init(),
                            first.startUs(),
                            SegmentTail.startedAt(tails.getFirst())));
        }
        Path merged = folder.resolve(ObjectKeys.TAIL).resolve(file.name());
        try (FileChannel out =
                FileChannel.open(
                        merged,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            for (Path tail : tails) {
                append(tail, out);
            }
            out.force(/* metaData= */ false);
        }
        Files.move(
                merged,
                folder.resolve(file.name()),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static void append(Path tail, FileChannel to) throws IOException {
        try (FileChannel from = FileChannel.open(tail, StandardOpenOption.READ)) {
            long at = 0;
            while (at < from.size()) {
                at += from.transferTo(at, from.size() - at, to);
            }
        }
    }

    /** Fetches files, and reads from them what the index lacks; and the last one. */
    private Recording scanned(AssetId asset, RebuildPlan plan) throws IOException {
        Set<String> files = new HashSet<>(plan.toScan());
        if (!plan.files().isEmpty()) {
            files.add(plan.files().getLast().name());
        }
        Path folder = parts.folders().of(asset);
        fetch.ensure(asset, files.stream().map(folder::resolve).toList());
        Path scanned = Files.createDirectories(folder.resolve(ObjectKeys.TAIL).resolve("scanned"));
        Set<String> names = new HashSet<>(files);
        for (String name : FolderContent.finished(folder).heads()) {
            if (FolderContent.isInit(name)) {
                names.add(name);
            }
        }
        for (String name : names) {
            Path link = scanned.resolve(name);
            Files.deleteIfExists(link);
            try {
                Files.createLink(link, folder.resolve(name));
            } catch (IOException | UnsupportedOperationException _) {
                Files.copy(folder.resolve(name), link);
            }
        }
        return Recording.rebuild(scanned);
    }

    private long sizeBytes(Recording rebuilt, StoredObjects there) {
        Map<String, Long> sizes = new HashMap<>();
        for (Segment segment : rebuilt.segments()) {
            long endBytes = segment.place().offsetBytes() + segment.place().sizeBytes();
            sizes.merge(
                    segment.fileName(),
                    Math.max(endBytes, there.bytes(segment.fileName())),
                    Math::max);
        }
        long bytes = sizes.values().stream().mapToLong(Long::longValue).sum();
        for (Recording.Init init : rebuilt.inits()) {
            bytes += there.bytes(init.fileName());
        }
        return bytes;
    }
}
