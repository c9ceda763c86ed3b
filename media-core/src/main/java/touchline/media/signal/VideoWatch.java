package touchline.media.signal;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.codec.MalformedMediaException;
import touchline.media.decoding.DecodingFailedException;
import touchline.media.decoding.GopDecoder;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.VideoFrame;

/**
 * Decodes key frames of one session and looks at their luma. One thread at a time, a platform
 * thread.
 */
final class VideoWatch {
    private static final Logger log = LoggerFactory.getLogger(VideoWatch.class);

    /** Key frames that follow sooner are skipped: some encoders send nothing else. */
    private static final long LEAST_DISTANCE_US = 900_000;

    /** Without a further key frame for this long, the fault's time stands still. */
    private static final long LONGEST_NS = 12_000_000_000L;

    private static final long NEVER = Long.MIN_VALUE;

    private final Opener decoders;
    private final ActiveFaults active;
    private final SignalCounters counters;
    private final SignalListener listener;

    private VideoFaults faults;
    private boolean receiving;
    private boolean paused;
    private long newestUs = NEVER;
    private long newestNs;

    /** Opens a decoder of single frames. */
    @FunctionalInterface
    interface Opener {
        GopDecoder open(Track track);
    }

    VideoWatch(
            Opener decoders,
            ActiveFaults active,
            SignalCounters counters,
            SignalListener listener) {
        this.decoders = decoders;
        this.active = active;
        this.counters = counters;
        this.listener = listener;
        this.faults = new VideoFaults(active);
    }

    void accept(FeedItem item, long nowNs) {
        switch (item) {
            case Timeline timeline -> {
                if (timeline.video().isEmpty()) {
                    end();
                } else {
                    receiving = true;
                }
            }
            case Interruption _ -> end();
            case AccessUnit unit -> {
                newestNs = nowNs;
                if (paused) {
                    return;
                }
                if (newestUs == NEVER || unit.ptsUs() - newestUs >= LEAST_DISTANCE_US) {
                    newestUs = unit.ptsUs();
                    look(unit);
                }
            }
        }
    }

    /** Nothing is decoded meanwhile. */
    void pause(boolean now) {
        paused = now;
        forget();
    }

    boolean isReceiving() {
        return receiving;
    }

    /** Clock at the newest key frame. */
    long newestNs() {
        return newestNs;
    }

    double blackS(long nowNs) {
        return newestUs == NEVER ? 0 : faults.blackUs(mediaUs(nowNs)) / 1e6;
    }

    double frozenS(long nowNs) {
        return newestUs == NEVER ? 0 : faults.frozenUs(mediaUs(nowNs)) / 1e6;
    }

    private long mediaUs(long nowNs) {
        return newestUs + Math.clamp(nowNs - newestNs, 0, LONGEST_NS) / 1_000;
    }

    private void end() {
        receiving = false;
        forget();
    }

    private void forget() {
        newestUs = NEVER;
        faults = new VideoFaults(active);
        active.endAll(/* ofAudio= */ false);
    }

    /**
     * The decoder is open for this frame only: its memory is not held between key frames, which are
     * seconds apart.
     */
    private void look(AccessUnit unit) {
        long startNs = System.nanoTime();
        try (GopDecoder decoder = decoders.open(unit.track())) {
            Optional<VideoFrame> decoded = decoder.keyFrame(unit);
            if (decoded.isEmpty()) {
                counters.undecodable(SignalCounters.Media.VIDEO, 1);
                return;
            }
            try (VideoFrame frame = decoded.get()) {
                boolean fullRange = frame.format().colour().fullRange();
                faults.keyFrame(LumaCells.of(frame.view(), fullRange), unit.ptsUs());
            }
        } catch (DecodingRefusedException e) {
            counters.undecodable(SignalCounters.Media.VIDEO, 1);
            listener.refused(e);
        } catch (MalformedMediaException | FfmpegException | DecodingFailedException e) {
            counters.undecodable(SignalCounters.Media.VIDEO, 1);
            log.debug("key frame at {} us cannot be decoded: {}", unit.ptsUs(), e.getMessage());
        } finally {
            counters.spent(SignalCounters.Media.VIDEO, System.nanoTime() - startNs);
        }
    }
}
