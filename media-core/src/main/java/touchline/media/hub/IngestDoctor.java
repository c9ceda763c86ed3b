package touchline.media.hub;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.Sps;

/**
 * Checks a publisher's media and names the encoder setting to change. Keeps one warning per code
 * and renews its message, so their number is bounded. Guarded by its owner.
 */
final class IngestDoctor {
    /** Standard segments end at the first key frame after 4 s; the rest is for rounding. */
    private static final long MAX_KEY_FRAME_INTERVAL_US = 4_100_000;

    /** Number of frames over which the frame rate is judged. */
    private static final int RATE_BLOCK = 128;

    private static final double UNSTEADY = 0.25;
    private static final double UNSTEADY_SHARE = 0.1;
    private static final long JITTER_US = 5_000;

    private static final long DRIFT_SETTLED_US = 5_000_000;
    private static final long MAX_DRIFT_US = 300_000;
    private static final long MAX_SHIFT_US = 200_000;
    private static final double DRIFT_WEIGHT = 0.01;

    /** Audio beyond this much since the last frame says nothing about drift. */
    private static final long MAX_LAG_AGE_US = 500_000;

    private static final long US_PER_SECOND = 1_000_000;

    private static final long BITRATE_WINDOW_US = 5_000_000;
    private static final int BITRATE_WINDOWS = 6;
    private static final int MAX_SWING = 3;
    private static final long SWING_MATTERS_BPS = 500_000;

    private final InstantSource clock;
    private final Consumer<IngestReport.Warning> onWarning;
    private final Map<String, IngestReport.Warning> warnings = new LinkedHashMap<>();
    private int jumps;

    // Of the current timeline.
    private long startUs;
    private long keyUs;
    private long newestPtsTicks;
    private long videoUs;
    private double lagUs;
    private double settledLagUs;
    private boolean lagSettled;
    private final VideoGap gap = new VideoGap();
    private long gapSeconds;

    private final long[] intervalsUs = new long[RATE_BLOCK];
    private int intervals;

    private final long[] windowsBps = new long[BITRATE_WINDOWS];
    private int windows;
    private long windowStartUs;
    private long windowBytes;

    IngestDoctor(InstantSource clock, Consumer<IngestReport.Warning> onWarning) {
        this.clock = clock;
        this.onWarning = onWarning;
    }

    /** Oldest first. */
    List<IngestReport.Warning> warnings() {
        return List.copyOf(warnings.values());
    }

    void begin(Timeline timeline) {
        startUs = timeline.startUs();
        newestPtsTicks = Long.MIN_VALUE;
        lagSettled = false;
        lagUs = 0;
        gap.clear();
        beginFrames(startUs);
        timeline.tracks().forEach(this::checkProfile);
    }

    /** Frames begin, or come back: what lies before is no property of theirs. */
    private void beginFrames(long atUs) {
        gapSeconds = 0;
        keyUs = atUs;
        videoUs = -1;
        intervals = 0;
        windows = 0;
        windowBytes = 0;
        windowStartUs = atUs;
    }

    void observe(AccessUnit unit) {
        if (unit.track().isVideo()) {
            if (gap.isOpen()) {
                beginFrames(unit.dtsUs());
            }
            gap.frame(unit.dtsUs());
            checkKeyFrames(unit);
            checkOrder(unit);
            checkRate(unit.dtsUs());
            checkBitrate(unit);
            videoUs = unit.dtsUs();
        } else if (videoUs >= 0) {
            gap.audio(unit.dtsUs());
            checkGap();
            if (gap.lengthUs() < MAX_LAG_AGE_US) {
                checkLag(unit.dtsUs());
            }
        }
    }

    private void checkGap() {
        long seconds = gap.lengthUs() / US_PER_SECOND;
        if (gap.isOpen() && seconds > gapSeconds) {
            gapSeconds = seconds;
            withoutVideo(gap.lengthUs());
        }
    }

    void withoutVideo(long forUs) {
        warn(
                IngestReport.NO_VIDEO,
                "no video for %d s while audio goes on: check the encoder's camera or capture"
                        + " source, and that it sends frames",
                forUs / US_PER_SECOND);
    }

    void jumped(long byUs) {
        jumps++;
        warn(
                IngestReport.TIMESTAMP_JUMPS,
                "timestamps jumped %d times, last by %s s: let the encoder stamp from one "
                        + "clock and not restart its sources while it publishes",
                jumps,
                seconds(byUs));
    }

    void shifted(long totalUs) {
        if (Math.abs(totalUs) > MAX_SHIFT_US) {
            warn(
                    IngestReport.AV_DRIFT,
                    "audio drifts against its timestamps, %s s so far: set the encoder's "
                            + "audio sample rate to that of the device, or resample audio",
                    seconds(totalUs));
        }
    }

    private void checkKeyFrames(AccessUnit unit) {
        long sinceUs = unit.dtsUs() - keyUs;
        if (sinceUs > MAX_KEY_FRAME_INTERVAL_US) {
            warn(
                    IngestReport.KEY_FRAME_INTERVAL,
                    "no key frame for %s s (expected: at most 4 s): set the encoder's key "
                            + "frame interval (GOP size, keyint) to 2 s",
                    seconds(sinceUs));
        }
        if (unit.isKeyFrame()) {
            keyUs = unit.dtsUs();
        }
    }

    private void checkOrder(AccessUnit unit) {
        if (unit.ptsTicks() < newestPtsTicks) {
            warn(
                    IngestReport.B_FRAMES,
                    "frames are sent out of display order, which adds delay with low "
                            + "latency: set the encoder's B-frames (bframes) to 0");
        }
        newestPtsTicks = Math.max(newestPtsTicks, unit.ptsTicks());
    }

    private void checkRate(long dtsUs) {
        if (videoUs < 0) {
            return;
        }
        intervalsUs[intervals++] = dtsUs - videoUs;
        if (intervals < RATE_BLOCK) {
            return;
        }
        long totalUs = 0;
        for (long interval : intervalsUs) {
            totalUs += interval;
        }
        double meanUs = (double) totalUs / RATE_BLOCK;
        int unsteady = 0;
        for (long interval : intervalsUs) {
            double off = Math.abs(interval - meanUs);
            unsteady += off > meanUs * UNSTEADY && off > JITTER_US ? 1 : 0;
        }
        if (unsteady > RATE_BLOCK * UNSTEADY_SHARE) {
            warn(
                    IngestReport.VARIABLE_FRAME_RATE,
                    "%d of %d frames come off the mean of %.2f a second: set the encoder "
                            + "to a constant frame rate (CFR), and see whether it drops frames",
                    unsteady,
                    RATE_BLOCK,
                    1e6 / meanUs);
        }
        intervals = 0;
    }

    private void checkBitrate(AccessUnit unit) {
        long lastedUs = unit.dtsUs() - windowStartUs;
        if (lastedUs >= BITRATE_WINDOW_US && unit.isKeyFrame()) {
            windowsBps[windows++ % BITRATE_WINDOWS] = windowBytes * 8_000_000 / lastedUs;
            windowStartUs = unit.dtsUs();
            windowBytes = 0;
            judgeBitrate();
        }
        windowBytes += unit.payload().byteSize();
    }

    private void judgeBitrate() {
        if (windows < BITRATE_WINDOWS) {
            return;
        }
        long least = Long.MAX_VALUE;
        long most = 0;
        for (long bps : windowsBps) {
            least = Math.min(least, bps);
            most = Math.max(most, bps);
        }
        if (most > SWING_MATTERS_BPS && most > MAX_SWING * least) {
            warn(
                    IngestReport.BITRATE_SWINGS,
                    "the video bitrate swings between %d and %d kbit/s: set the encoder's "
                            + "rate control to CBR",
                    least / 1_000,
                    most / 1_000);
        }
    }

    /** Lag of audio behind video on arrival, compared with the lag at the beginning. */
    private void checkLag(long audioUs) {
        double nowUs = videoUs - audioUs;
        lagUs = lagUs == 0 ? nowUs : lagUs + (nowUs - lagUs) * DRIFT_WEIGHT;
        if (audioUs - startUs < DRIFT_SETTLED_US) {
            return;
        }
        if (!lagSettled) {
            lagSettled = true;
            settledLagUs = lagUs;
        }
        double driftUs = lagUs - settledLagUs;
        if (Math.abs(driftUs) > MAX_DRIFT_US) {
            warn(
                    IngestReport.AV_DRIFT,
                    "audio has moved by %s s against the frames: let the encoder take "
                            + "both from one clock, and resample audio to it",
                    seconds((long) driftUs));
        }
    }

    private void checkProfile(Track track) {
        switch (track.codec()) {
            case CodecConfig.Avc(var config) -> checkAvc(config);
            case CodecConfig.Hevc(var config) -> {
                if (config.profileIdc() > 2) {
                    unsupported("H.265 profile " + config.profileIdc(), "main or main10");
                }
            }
            case CodecConfig.Aac(var config) -> {
                if (config.objectType() == 1 || config.objectType() == 3) {
                    unsupported("AAC object type " + config.objectType(), "AAC-LC");
                }
            }
            case CodecConfig.Av1 _, CodecConfig.Opus _, CodecConfig.Mp3 _ -> {}
        }
    }

    private void checkAvc(AvcConfig config) {
        Sps sps = config.sps();
        if (sps.chromaFormatIdc() > 1 || sps.bitDepth() > 8) {
            unsupported(
                    "H.264 with chroma format %d and %d bits"
                            .formatted(sps.chromaFormatIdc(), sps.bitDepth()),
                    "high or main, and the pixel format to yuv420p (NV12)");
        } else if (!sps.progressive()) {
            unsupported("interlaced H.264", "progressive, with deinterlacing before it");
        }
    }

    private void unsupported(String came, String setting) {
        warn(
                IngestReport.UNSUPPORTED_PROFILE,
                "%s does not play in all browsers: set the encoder's profile to %s",
                came,
                setting);
    }

    @FormatMethod
    private void warn(String code, @FormatString String format, Object... values) {
        IngestReport.Warning before = warnings.get(code);
        String message = String.format(Locale.ROOT, format, values);
        var warning =
                new IngestReport.Warning(
                        code, message, before == null ? clock.instant() : before.at());
        warnings.put(code, warning);
        if (before == null) {
            onWarning.accept(warning);
        }
    }

    private static String seconds(long us) {
        return String.format(Locale.ROOT, "%.1f", us / 1e6);
    }
}
