package touchline.media.hub;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.codec.MalformedMediaException;
import touchline.media.codec.Sps;
import touchline.media.codec.VideoSequence;

/**
 * Checks a publisher's media and names the encoder setting to change. Keeps one warning per code
 * and renews its message, so their number is bounded. Guarded by its owner.
 */
final class IngestDoctor {
    /** Standard segments end at the first key frame after 4 s; the rest is for rounding. */
    private static final long MAX_KEY_FRAME_INTERVAL_US = 4_100_000;

    /** Frames that stand closer than any frame rate have no timestamps of their own. */
    private static final long STANDING_US = 1_000;

    private static final int STANDING_FRAMES = 30;

    private static final long MAX_DRIFT_US = 300_000;
    private static final long MAX_SHIFT_US = 200_000;

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
    private final FrameRateCheck frameRate = new FrameRateCheck();
    private final ClockCheck clockSpeed;
    private int jumps;
    private long longestGopUs;

    // Of the current timeline.
    private long keyUs;
    private long newestPtsTicks;
    private long videoUs;
    private final AudioLag lag = new AudioLag();
    private final VideoGap gap = new VideoGap();
    private long gapSeconds;

    private int standing;

    /** When a publisher was refused last for its jumps. */
    private @Nullable Instant refusedAt;

    private final long[] windowsBps = new long[BITRATE_WINDOWS];
    private int windows;
    private long windowStartUs;
    private long windowBytes;

    IngestDoctor(InstantSource clock, Consumer<IngestReport.Warning> onWarning) {
        this.clock = clock;
        this.clockSpeed = new ClockCheck(clock);
        this.onWarning = onWarning;
    }

    /** Oldest first. */
    List<IngestReport.Warning> warnings() {
        return List.copyOf(warnings.values());
    }

    /** Of audio behind the frames. */
    AudioLag lag() {
        return lag;
    }

    void begin(Timeline timeline) {
        long startUs = timeline.startUs();
        newestPtsTicks = Long.MIN_VALUE;
        lag.reset(startUs);
        gap.clear();
        clockSpeed.reset(startUs);
        beginFrames(startUs);
        timeline.tracks().forEach(this::checkProfile);
    }

    /** Frames begin, or come back: what lies before is no property of theirs. */
    private void beginFrames(long atUs) {
        gapSeconds = 0;
        keyUs = atUs;
        videoUs = -1;
        standing = 0;
        frameRate.reset();
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
            checkTimestamps(unit.dtsUs());
            frameRate.add(unit.ptsUs()).ifPresent(this::unsteady);
            checkBitrate(unit);
            videoUs = unit.dtsUs();
        } else if (videoUs >= 0) {
            gap.audio(unit.dtsUs());
            checkGap();
            if (gap.lengthUs() < MAX_LAG_AGE_US) {
                checkLag(unit.dtsUs());
            }
        }
        clockSpeed.add(unit.dtsUs()).ifPresent(this::clockOff);
    }

    private void checkGap() {
        long seconds = gap.lengthUs() / US_PER_SECOND;
        if (gap.isOpen() && seconds > gapSeconds) {
            gapSeconds = seconds;
            withoutVideo(gap.lengthUs());
        }
    }

    /** What another check has found. */
    void found(String code, String message) {
        warn(code, "%s", message);
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
        if (refusedAt != null && clock.instant().isBefore(refusedAt.plus(TimelineLimit.WITHIN))) {
            return;
        }
        warn(
                IngestReport.TIMESTAMP_JUMPS,
                "timestamps jumped %s by %s s: let the encoder stamp from one "
                        + "clock and not restart its sources while it publishes",
                jumps == 1 ? "once," : jumps + " times, last",
                seconds(byUs));
    }

    /** A warning of its own, also after warnings of single jumps; at most once a minute. */
    void refusedForJumps() {
        Instant now = clock.instant();
        if (refusedAt == null || !now.isBefore(refusedAt.plus(TimelineLimit.WITHIN))) {
            refusedAt = now;
            warnings.remove(IngestReport.TIMESTAMP_JUMPS);
            warn(
                    IngestReport.TIMESTAMP_JUMPS,
                    "the publisher is refused: timestamps jumped more than %d times within %d s;"
                            + " let the encoder stamp from one clock",
                    TimelineLimit.MOST,
                    TimelineLimit.WITHIN.toSeconds());
        }
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

    /** About both publishers of the programme. */
    void ofBackup(String code, String message) {
        warn(code, "%s", message);
    }

    /** The server does not decode this video, or not now. */
    void refused(DecodingRefusedException cause) {
        switch (cause.limit()) {
            case FRAME_SIZE ->
                    warn(
                            IngestReport.FRAME_SIZE,
                            "%s: thumbnails, moderation and scoreboards do not see this video; set"
                                    + " the encoder's output to at most 4096x4096",
                            String.valueOf(cause.getMessage()));
            case MEMORY ->
                    warn(
                            IngestReport.DECODER_MEMORY,
                            "%s: this video is not decoded everywhere; set the encoder to smaller"
                                    + " frames or fewer reference frames, or raise"
                                    + " media.decoder-memory",
                            String.valueOf(cause.getMessage()));
        }
    }

    private void checkKeyFrames(AccessUnit unit) {
        long sinceUs = unit.dtsUs() - keyUs;
        if (sinceUs > Math.max(longestGopUs, MAX_KEY_FRAME_INTERVAL_US)) {
            longestGopUs = sinceUs;
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

    private void checkTimestamps(long dtsUs) {
        standing = videoUs >= 0 && dtsUs - videoUs <= STANDING_US ? standing + 1 : 0;
        if (standing == STANDING_FRAMES) {
            warn(
                    IngestReport.TIMESTAMPS_STAND_STILL,
                    "%d frames in a row have the same timestamp: let the encoder stamp each "
                            + "frame with its time, and remove filters that reset timestamps",
                    STANDING_FRAMES);
        }
    }

    private void unsteady(FrameRateCheck.Unsteady block) {
        warn(
                IngestReport.VARIABLE_FRAME_RATE,
                "%d of %d frames do not keep the rate of %.2f a second: set the encoder "
                        + "to a constant frame rate (CFR), and see whether it drops frames",
                block.unsteady(),
                block.frames(),
                block.rate());
    }

    private void clockOff(double off) {
        warn(
                IngestReport.CLOCK_DRIFT,
                "timestamps run %.1f %% %s than the clock: %s",
                Math.abs(off) * 100,
                off > 0 ? "faster" : "slower",
                off > 0
                        ? "let the encoder send in real time (ffmpeg: -re), from a correct clock"
                        : "see whether encoder and network keep up, and the encoder's clock is"
                                + " correct");
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
        lag.add(audioUs, videoUs);
        long driftUs = lag.driftUs().orElse(0);
        if (Math.abs(driftUs) > MAX_DRIFT_US) {
            warn(
                    IngestReport.AV_DRIFT,
                    "audio has moved by %s s against the frames: let the encoder take "
                            + "both from one clock, and resample audio to it",
                    seconds(driftUs));
        }
    }

    private void checkProfile(Track track) {
        try {
            track.codec().sequences().forEach(VideoSequence::requireDecodable);
        } catch (DecodingRefusedException e) {
            refused(e);
        } catch (MalformedMediaException _) {
            // Only the first parameter set was checked before; a decoder reports the others.
        }
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
            case CodecConfig.Mp3 _ ->
                    warn(
                            IngestReport.AUDIO_CODEC,
                            "no browser plays MP3 audio from HLS, so it is transcoded to AAC: "
                                    + "set the encoder's audio codec to AAC (ffmpeg: -c:a aac)");
            case CodecConfig.Opus _ ->
                    warn(
                            IngestReport.AUDIO_CODEC,
                            "Safari plays Opus audio from HLS only where packager.transcode-audio "
                                    + "has opus: set that, or the encoder's audio codec to AAC");
            case CodecConfig.Av1 _ -> {}
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
