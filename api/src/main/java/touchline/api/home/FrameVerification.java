package touchline.api.home;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import touchline.api.db.EvidenceRepository;
import touchline.api.db.EvidenceUploads;
import touchline.api.db.EvidenceUploads.Stored;
import touchline.api.domain.FrameName;
import touchline.api.home.Verification.Finding;
import touchline.api.storage.ObjectBucket;
import touchline.api.storage.Parallel;
import touchline.api.storage.StorageException;

/** Compares the records of evidence frames with their objects. Blocks; one thread. */
final class FrameVerification {
    private static final int AT_ONCE = 500;

    private final EvidenceRepository evidence;
    private final EvidenceUploads uploads;
    private final ObjectBucket bucket;
    private final ObjectKeys keys;
    private final int parallel;

    /** Receives what is found. */
    @FunctionalInterface
    interface Found {
        void accept(Finding finding) throws IOException;
    }

    /** The objects that were there. */
    record Counted(long objects, long bytes) {}

    /**
     * @param parallel frames at once
     */
    FrameVerification(
            EvidenceRepository evidence,
            EvidenceUploads uploads,
            ObjectBucket bucket,
            ObjectKeys keys,
            int parallel) {
        this.evidence = evidence;
        this.uploads = uploads;
        this.bucket = bucket;
        this.keys = keys;
        this.parallel = parallel;
    }

    /** Finds frames that are not in S3, although their records say so. */
    Counted missing(Found found) throws IOException, InterruptedException {
        LongAdder objects = new LongAdder();
        LongAdder bytes = new LongAdder();
        for (List<Stored> some = uploads.stored(0, AT_ONCE);
                !some.isEmpty();
                some = uploads.stored(some.getLast().recordId(), AT_ONCE)) {
            Map<FrameName, String> reasons = new ConcurrentHashMap<>();
            List<Parallel.Step> steps = new ArrayList<>();
            for (Stored each : some) {
                steps.add(
                        () -> {
                            Optional<Long> size = size(each.frame());
                            size.ifPresent(
                                    there -> {
                                        objects.increment();
                                        bytes.add(there);
                                    });
                            reason(each, size)
                                    .ifPresent(reason -> reasons.put(each.frame(), reason));
                        });
            }
            Parallel.run(parallel, steps);
            for (Stored each : some) {
                String reason = reasons.get(each.frame());
                // It may have been deleted meanwhile.
                if (reason != null && evidence.find(each.frame()).isPresent()) {
                    found.accept(new Finding.MissingFrame(each.frame(), reason));
                }
            }
        }
        return new Counted(objects.sum(), bytes.sum());
    }

    private Optional<Long> size(FrameName frame) throws StorageException {
        String key = keys.of(frame);
        return Optional.ofNullable(bucket.list(key).get(key));
    }

    private static Optional<String> reason(Stored frame, Optional<Long> size) {
        if (size.isEmpty()) {
            return Optional.of("not there");
        }
        return size.get() == frame.sizeBytes()
                ? Optional.empty()
                : Optional.of("%d bytes (expected: %d)".formatted(size.get(), frame.sizeBytes()));
    }

    /** Finds objects that no record names, and those that this server does not make. */
    void unknown(Found found) throws IOException {
        Map<FrameName, Long> unnamed = new LinkedHashMap<>();
        Map<FrameName, Long> some = new LinkedHashMap<>();
        Map<String, long[]> foreign = new LinkedHashMap<>();
        bucket.visit(
                keys.frames(),
                (key, size) -> {
                    Optional<FrameName> frame = keys.frameOf(key);
                    if (frame.isEmpty()) {
                        String folder = key.substring(0, key.lastIndexOf('/') + 1);
                        long[] sum = foreign.computeIfAbsent(folder, _ -> new long[2]);
                        sum[0]++;
                        sum[1] += size;
                        return;
                    }
                    some.put(frame.get(), size);
                    if (some.size() == AT_ONCE) {
                        sort(some, unnamed);
                    }
                });
        sort(some, unnamed);
        for (Map.Entry<FrameName, Long> each : unnamed.entrySet()) {
            // It may have been deleted as planned, between the list and the look at the rows.
            if (size(each.getKey()).isPresent()) {
                found.accept(new Finding.Orphan(keys.of(each.getKey()), 1, each.getValue()));
            }
        }
        for (Map.Entry<String, long[]> each : foreign.entrySet()) {
            found.accept(new Finding.Orphan(each.getKey(), each.getValue()[0], each.getValue()[1]));
        }
    }

    /** The rows are read behind the list: a frame has its record before its object. */
    private void sort(Map<FrameName, Long> some, Map<FrameName, Long> unnamed) {
        Set<FrameName> known = evidence.known(List.copyOf(some.keySet()));
        some.forEach(
                (frame, size) -> {
                    if (!known.contains(frame)) {
                        unnamed.put(frame, size);
                    }
                });
        some.clear();
    }
}
