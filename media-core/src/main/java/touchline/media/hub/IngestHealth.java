package touchline.media.hub;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import touchline.media.AccessUnit;

/**
 * What a session's publishers sent in its last hour, in steps of the clock. A step without media
 * has no sample, so an hour of samples may reach further back. Guarded by its owner.
 */
public final class IngestHealth {
    /** Length of a step. */
    public static final Duration STEP = Duration.ofSeconds(5);

    /** An hour of steps. */
    public static final int MAX_SAMPLES = 720;

    private static final long STEP_MS = STEP.toMillis();
    private static final long LEAST_MS = 1_000;
    private static final double BITS_MS = 8_000;
    private static final double MS = 1_000;
    private static final long NEVER = Long.MIN_VALUE;

    private final InstantSource clock;
    private final AudioLag lag;

    private final ArrayDeque<HealthSample> samples = new ArrayDeque<>();
    private final MissingFrameCounter missing = new MissingFrameCounter();

    // Of the current step.
    private long step = NEVER;
    private long sinceMs;
    private long videoBytes;
    private long audioBytes;
    private int frames;
    private long longestUs = HealthSample.NONE;

    // Of the current timeline.
    private long keyUs = NEVER;
    private long frameUs = NEVER;

    IngestHealth(InstantSource clock, AudioLag lag) {
        this.clock = clock;
        this.lag = lag;
    }

    /** The complete steps that ended after this moment, oldest first. */
    List<HealthSample> after(Instant moment) {
        turn(clock.millis());
        long afterMs = moment.toEpochMilli();
        return samples.stream().filter(each -> each.atMs() > afterMs).toList();
    }

    /** A timeline begins. Its frames have no distance to those before. */
    void begin() {
        keyUs = NEVER;
        frameUs = NEVER;
        missing.begin();
    }

    /** A unit has arrived. */
    void observe(AccessUnit unit) {
        long nowMs = clock.millis();
        turn(nowMs);
        if (step == NEVER) {
            step = Math.floorDiv(nowMs, STEP_MS);
            sinceMs = isContinued() ? step * STEP_MS : nowMs;
        }
        long bytes = unit.payload().byteSize();
        if (!unit.track().isVideo()) {
            audioBytes += bytes;
            return;
        }
        videoBytes += bytes;
        frames++;
        frameUs = unit.dtsUs();
        missing.add(frameUs);
        if (unit.isKeyFrame()) {
            if (keyUs != NEVER) {
                longestUs = Math.max(longestUs, frameUs - keyUs);
            }
            keyUs = frameUs;
        }
    }

    /** Whether there was media up to the beginning of the current step. */
    private boolean isContinued() {
        return !samples.isEmpty() && samples.getLast().atMs() == step * STEP_MS;
    }

    /** Completes the current step if it is over. A clock that is set back prolongs it. */
    private void turn(long nowMs) {
        if (step == NEVER || Math.floorDiv(nowMs, STEP_MS) <= step) {
            return;
        }
        long endMs = (step + 1) * STEP_MS;
        long lengthMs = Math.max(LEAST_MS, endMs - sinceMs);
        if (samples.size() == MAX_SAMPLES) {
            samples.removeFirst();
        }
        samples.addLast(
                new HealthSample(
                        endMs,
                        Math.round(videoBytes * BITS_MS / lengthMs),
                        Math.round(audioBytes * BITS_MS / lengthMs),
                        frames * MS / lengthMs,
                        keyFrameInterval(),
                        lag.driftUs().orElse(HealthSample.NONE),
                        missing.take()));
        step = NEVER;
        videoBytes = 0;
        audioBytes = 0;
        frames = 0;
        longestUs = HealthSample.NONE;
    }

    private long keyFrameInterval() {
        boolean isOpen = longestUs == HealthSample.NONE && keyUs != NEVER && frameUs > keyUs;
        return isOpen ? frameUs - keyUs : longestUs;
    }
}
