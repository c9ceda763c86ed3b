package touchline.api.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import touchline.api.asset.FolderTree;
import touchline.api.db.AssetObjects;
import touchline.api.db.AssetObjects.Stored;
import touchline.api.db.EvidenceRepository;
import touchline.api.db.EvidenceUploads;
import touchline.api.domain.AssetId;
import touchline.api.domain.FrameName;
import touchline.api.storage.ObjectBucket;
import touchline.api.storage.Parallel;
import touchline.api.storage.StorageException;

/**
 * Compares rows, indexes and objects: whether all that the rows say is in S3 is there, in the
 * length that the indexes say; and, where asked for, which objects belong to nothing. It changes
 * nothing. Costs a LIST and a GET an asset, two of each with a scaled copy, and a LIST for each
 * thousand objects for those that belong to nothing; and a LIST an evidence frame. Blocks; one
 * thread, which runs it once.
 */
public final class Verification {
    private static final int ASSETS_AT_ONCE = 100;

    private final AssetObjects rows;
    private final FrameVerification frames;
    private final ObjectBucket bucket;
    private final ObjectKeys keys;
    private final int parallel;
    private final LongAdder objects = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final Report report;
    private long assets;
    private long missing;
    private long orphans;

    /** What the database says. */
    record Rows(AssetObjects assets, EvidenceRepository evidence, EvidenceUploads uploads) {}

    /** What does not fit. */
    public sealed interface Finding {
        /**
         * A file of an asset is not in S3 as it should be.
         *
         * @param file relative to the asset's folder
         * @param reason for an operator
         */
        record Missing(AssetId asset, String file, String reason) implements Finding {}

        /**
         * An evidence frame is not in S3 as it should be.
         *
         * @param reason for an operator
         */
        record MissingFrame(FrameName frame, String reason) implements Finding {}

        /**
         * Objects that belong to no asset and no record, or that no index names.
         *
         * @param key of one object, or with a slash at its end what several keys start with
         */
        record Orphan(String key, long objects, long bytes) implements Finding {}
    }

    /** Receives what is found, while the comparison runs. Called by its thread. */
    public interface Report {
        /**
         * @param checked assets so far
         * @param all that were there at the start
         */
        void progress(long checked, long all) throws IOException;

        void found(Finding finding) throws IOException;
    }

    /**
     * What was compared.
     *
     * @param assets with all files in S3, as their rows say
     * @param objects of these, and of evidence frames
     * @param bytes of these objects
     * @param waiting finished assets that are not completely in S3 yet
     * @param missing findings
     * @param orphans findings
     */
    public record Result(
            long assets, long objects, long bytes, long waiting, long missing, long orphans) {
        public boolean isClean() {
            return missing == 0 && orphans == 0;
        }
    }

    /**
     * @param parallel assets at once
     */
    Verification(Rows rows, ObjectBucket bucket, ObjectKeys keys, int parallel, Report report) {
        this.rows = rows.assets();
        this.frames =
                new FrameVerification(rows.evidence(), rows.uploads(), bucket, keys, parallel);
        this.bucket = bucket;
        this.keys = keys;
        this.parallel = parallel;
        this.report = report;
    }

    Result run(boolean withOrphans) throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("touchline-verify");
        try {
            long all = rows.countStored();
            report.progress(0, all);
            long place = -1;
            List<Stored> some = rows.stored(place, ASSETS_AT_ONCE);
            while (!some.isEmpty()) {
                compare(some, scratch, withOrphans);
                assets += some.size();
                report.progress(assets, Math.max(all, assets));
                place = some.getLast().seq();
                some = rows.stored(place, ASSETS_AT_ONCE);
            }
            FrameVerification.Counted evidence = frames.missing(this::add);
            objects.add(evidence.objects());
            bytes.add(evidence.bytes());
            if (withOrphans) {
                findUnknown();
                frames.unknown(this::add);
            }
        } finally {
            FolderTree.remove(scratch);
        }
        return new Result(
                assets, objects.sum(), bytes.sum(), rows.countWaiting(), missing, orphans);
    }

    private void compare(List<Stored> some, Path scratch, boolean withOrphans)
            throws IOException, InterruptedException {
        List<List<Finding>> found = new ArrayList<>();
        List<Parallel.Step> steps = new ArrayList<>();
        for (Stored each : some) {
            List<Finding> mine = new ArrayList<>();
            found.add(mine);
            steps.add(() -> compare(each, scratch.resolve(each.id().value()), withOrphans, mine));
        }
        // Returns when all have ended: so their lists are visible here.
        Parallel.run(parallel, steps);
        for (int i = 0; i < found.size(); i++) {
            // Deleted or changed meanwhile: then its objects are expected to differ.
            if (!found.get(i).isEmpty() && rows.isUnchanged(some.get(i))) {
                for (Finding each : found.get(i)) {
                    add(each);
                }
            }
        }
    }

    private void add(Finding finding) throws IOException {
        switch (finding) {
            case Finding.Missing _, Finding.MissingFrame _ -> missing++;
            case Finding.Orphan _ -> orphans++;
        }
        report.found(finding);
    }

    private void compare(Stored row, Path scratch, boolean withOrphans, List<Finding> found)
            throws IOException {
        String folder = keys.folder(row.id());
        Map<String, Long> there = new TreeMap<>();
        bucket.visit(folder, (key, size) -> there.put(key.substring(folder.length()), size));
        objects.add(there.size());
        there.values().forEach(bytes::add);
        StoredContent content =
                new StoredContent(row, there, (name, to) -> bucket.fetch(folder + name, to));
        found.addAll(content.missing(Files.createDirectory(scratch)));
        if (withOrphans) {
            long tails = 0;
            long tailBytes = 0;
            for (String name : content.unnamed()) {
                long size = there.getOrDefault(name, 0L);
                if (name.startsWith(ObjectKeys.TAIL)) {
                    tails++;
                    tailBytes += size;
                } else {
                    found.add(new Finding.Orphan(folder + name, 1, size));
                }
            }
            if (tails > 0) {
                // The row says that all is in files.
                found.add(new Finding.Orphan(folder + ObjectKeys.TAIL, tails, tailBytes));
            }
        }
    }

    /** Objects of assets without rows, and objects that this server does not make. */
    private void findUnknown() throws IOException {
        Map<AssetId, long[]> byAsset = new TreeMap<>(Comparator.comparing(AssetId::value));
        Map<String, long[]> foreign = new TreeMap<>();
        bucket.visit(
                keys.all(),
                (key, size) -> {
                    long[] sum =
                            keys.assetOf(key)
                                    .map(id -> byAsset.computeIfAbsent(id, _ -> new long[2]))
                                    .orElseGet(
                                            () ->
                                                    foreign.computeIfAbsent(
                                                            key.substring(
                                                                    0, key.lastIndexOf('/') + 1),
                                                            _ -> new long[2]));
                    sum[0]++;
                    sum[1] += size;
                });
        // The rows are read behind the list: an asset has its row before its first object.
        Set<AssetId> known = rows.known();
        for (Map.Entry<AssetId, long[]> each : byAsset.entrySet()) {
            AssetId asset = each.getKey();
            // They may have been deleted as planned, between the list and the look at the rows.
            if (!known.contains(asset) && !isGone(asset)) {
                long[] sum = each.getValue();
                add(new Finding.Orphan(keys.folder(asset), sum[0], sum[1]));
            }
        }
        for (Map.Entry<String, long[]> each : foreign.entrySet()) {
            add(new Finding.Orphan(each.getKey(), each.getValue()[0], each.getValue()[1]));
        }
    }

    private boolean isGone(AssetId asset) throws StorageException {
        return bucket.list(keys.folder(asset)).isEmpty();
    }
}
