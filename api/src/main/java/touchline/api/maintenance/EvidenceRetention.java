package touchline.api.maintenance;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.audit.EvidenceFolder;
import touchline.api.db.EvidenceRepository;
import touchline.api.db.SampledFrames;
import touchline.api.domain.Evidence;
import touchline.api.domain.FilePlace;
import touchline.api.domain.FrameName;
import touchline.config.EvidenceConfig;

/**
 * Deletes evidence frames above the maximum age, then the oldest ones above the maximum size. In a
 * cluster each node deletes those on its disk, and any node those of a node that does not run.
 * Where frames are in S3 the size is that of all nodes together; the objects are only listed here,
 * to be deleted. Once after a start it deletes files without a record: a crash between file and row
 * leaves them, and so do other nodes that delete frames while this one is away. Records stay,
 * without their frames. Runs on its own virtual thread until it is closed.
 */
public final class EvidenceRetention implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EvidenceRetention.class);

    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final int AT_ONCE = 500;

    private final Dependencies parts;
    private final EvidenceFolder folder;
    private final EvidenceRepository evidence;
    private final InstantSource clock;
    private final Instant startedAt;
    private final PeriodicTask task =
            new PeriodicTask("evidence-retention", EVERY, this::applyOnce);

    // Used by the task's thread only.
    private boolean swept;

    /**
     * What it works with; borrowed.
     *
     * @param limits asked at each run
     * @param inS3 whether frames have objects
     */
    public record Dependencies(
            Supplier<EvidenceConfig> limits,
            EvidenceFolder folder,
            EvidenceRepository evidence,
            SampledFrames frames,
            boolean inS3,
            InstantSource clock) {}

    public EvidenceRetention(Dependencies dependencies) {
        this.parts = dependencies;
        this.folder = dependencies.folder();
        this.evidence = dependencies.evidence();
        this.clock = dependencies.clock();
        this.startedAt = clock.instant();
    }

    public void start() {
        task.start();
    }

    @Override
    public void close() {
        task.close();
    }

    private void applyOnce() throws IOException {
        int deleted = apply();
        if (!swept) {
            deleted += sweep();
            swept = true;
        }
        if (deleted > 0) {
            log.info("{} evidence frames deleted", deleted);
        }
    }

    /**
     * Deletes all frames beyond the limits, as far as it is for this server. Returns their number.
     */
    public int apply() {
        EvidenceConfig config = parts.limits().get();
        Instant now = clock.instant();
        if (!config.maxAge().isZero()) {
            parts.frames().deleteBefore(now.minus(config.maxAge()));
        }
        int gone = 0;
        List<Evidence> oldest = evidence.oldest(0, AT_ONCE);
        long passed = 0;
        while (!oldest.isEmpty()) {
            // Read behind each list: what another node deletes between these two counts as if it
            // were to go yet, so none goes too many.
            long totalBytes = config.maxBytes() > 0 ? evidence.bytes(parts.inS3(), passed) : 0;
            for (Evidence each : oldest) {
                boolean old =
                        !config.maxAge().isZero()
                                && each.capturedAt().isBefore(now.minus(config.maxAge()));
                if (!old && !isTooMuch(config, totalBytes)) {
                    return gone;
                }
                if (isCounted(each)) {
                    totalBytes -= each.sizeBytes();
                }
                if (isForMe(each, old) && delete(each, now)) {
                    gone++;
                }
            }
            passed = oldest.getLast().recordId();
            oldest = evidence.oldest(passed, AT_ONCE);
        }
        return gone;
    }

    private static boolean isTooMuch(EvidenceConfig config, long totalBytes) {
        return config.maxBytes() > 0 && totalBytes > config.maxBytes();
    }

    private boolean isCounted(Evidence each) {
        return parts.inS3() || each.place() == FilePlace.HERE;
    }

    /** All nodes find the same frames to delete; each file is deleted by its own node. */
    private boolean isForMe(Evidence each, boolean old) {
        return switch (each.place()) {
            case HERE -> true;
            case ELSEWHERE -> false;
            case GONE -> old || parts.inS3();
        };
    }

    /** The row first: a record never names a deleted frame. */
    private boolean delete(Evidence each, Instant now) {
        if (!evidence.delete(each, parts.inS3(), now)) {
            return false;
        }
        // Of another node: that one removes its file at its next start.
        boolean _ = folder.delete(each.frame());
        return true;
    }

    /** Deletes an earlier process's frames without a record. Returns their number. */
    public int sweep() throws IOException {
        List<FrameName> stored = folder.storedBefore(startedAt);
        int gone = 0;
        for (int from = 0; from < stored.size(); from += AT_ONCE) {
            List<FrameName> some = stored.subList(from, Math.min(stored.size(), from + AT_ONCE));
            Set<FrameName> named = evidence.named(some);
            evidence.adopt(named);
            for (FrameName frame : some) {
                if (!named.contains(frame) && folder.delete(frame)) {
                    gone++;
                }
            }
        }
        return gone;
    }
}
