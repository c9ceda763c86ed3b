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
import touchline.api.db.ModerationRepository;
import touchline.api.db.ModerationRepository.Evidence;
import touchline.api.db.SampledFrames;
import touchline.api.domain.FrameName;
import touchline.config.EvidenceConfig;

/**
 * Deletes evidence frames above the maximum age, then the oldest ones above the maximum size. Once
 * after a start it deletes files without a record: a crash between file and row leaves them.
 * Records stay, without their frames. Runs on its own virtual thread until it is closed.
 */
public final class EvidenceRetention implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EvidenceRetention.class);

    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final int AT_ONCE = 500;

    private final Supplier<EvidenceConfig> limits;
    private final EvidenceFolder folder;
    private final ModerationRepository records;
    private final SampledFrames frames;
    private final InstantSource clock;
    private final Instant startedAt;
    private final PeriodicTask task =
            new PeriodicTask("evidence-retention", EVERY, this::applyOnce);

    // Used by the task's thread only.
    private boolean swept;

    /**
     * @param limits asked at each run
     */
    public EvidenceRetention(
            Supplier<EvidenceConfig> limits,
            EvidenceFolder folder,
            ModerationRepository records,
            SampledFrames frames,
            InstantSource clock) {
        this.limits = limits;
        this.folder = folder;
        this.records = records;
        this.frames = frames;
        this.clock = clock;
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

    /** Deletes all frames beyond the limits. Returns their number. */
    public int apply() {
        EvidenceConfig config = limits.get();
        Instant now = clock.instant();
        if (!config.maxAge().isZero()) {
            frames.deleteBefore(now.minus(config.maxAge()));
        }
        long totalBytes = config.maxBytes() > 0 ? records.evidenceBytes() : 0;
        int gone = 0;
        List<Evidence> oldest = records.oldestEvidence(AT_ONCE);
        while (!oldest.isEmpty()) {
            for (Evidence evidence : oldest) {
                boolean old =
                        !config.maxAge().isZero()
                                && evidence.capturedAt().isBefore(now.minus(config.maxAge()));
                if (!old && !isTooMuch(config, totalBytes)) {
                    return gone;
                }
                // The row first: a record never names a deleted frame.
                records.clearFrame(evidence.recordId());
                folder.delete(evidence.frame());
                totalBytes -= evidence.sizeBytes();
                gone++;
            }
            oldest = records.oldestEvidence(AT_ONCE);
        }
        return gone;
    }

    private static boolean isTooMuch(EvidenceConfig config, long totalBytes) {
        return config.maxBytes() > 0 && totalBytes > config.maxBytes();
    }

    /** Deletes an earlier process's frames without a record. Returns their number. */
    public int sweep() throws IOException {
        List<FrameName> stored = folder.storedBefore(startedAt);
        int gone = 0;
        for (int from = 0; from < stored.size(); from += AT_ONCE) {
            List<FrameName> some = stored.subList(from, Math.min(stored.size(), from + AT_ONCE));
            Set<FrameName> named = records.named(some);
            records.adopt(named);
            for (FrameName frame : some) {
                if (!named.contains(frame) && folder.delete(frame)) {
                    gone++;
                }
            }
        }
        return gone;
    }
}
