package touchline.overlay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.ffmpeg.FrameQueue;
import touchline.media.ffmpeg.VideoFrame;
import touchline.overlay.CompositorCounters.Stage;

/**
 * Second stage of a compositor: draws layers over frames, encodes them, and passes audio in
 * between. Under overload it lowers quality first, then drops frames. A platform thread of its own.
 */
final class ComposeStage {
    private static final Logger log = LoggerFactory.getLogger(ComposeStage.class);

    /** Without drops for this long, the overload has ended. */
    private static final long RELIEF_US = 10_000_000;

    private final CompositorSettings settings;
    private final LayerDrawing layers;
    private final AudioStage audio;
    private final FrameQueue<StageItem> in;
    private final ProgramWriter out;
    private final CompositorCounters counters;
    private final CompositorListener listener;
    private final LongSupplier nanoTime;
    private final LoadControl load;

    private @Nullable EncoderSession encoder;
    private @Nullable Track sourceTrack;
    private @Nullable RateFollower rates;
    private boolean audioOpen;
    private boolean silent;
    private boolean overloaded;
    private long lastDropUs = Long.MIN_VALUE;

    // Written by this thread, read by any.
    private volatile long newestPtsUs = Long.MIN_VALUE;

    /** {@link #run} closes the drawing and the audio stage. */
    record Dependencies(
            CompositorSettings settings,
            LayerDrawing layers,
            AudioStage audio,
            CompositorCounters counters,
            CompositorListener listener,
            LongSupplier nanoTime) {}

    ComposeStage(Dependencies dependencies, FrameQueue<StageItem> in, ProgramWriter out) {
        this.settings = dependencies.settings();
        this.layers = dependencies.layers();
        this.audio = dependencies.audio();
        this.counters = dependencies.counters();
        this.listener = dependencies.listener();
        this.nanoTime = dependencies.nanoTime();
        this.in = in;
        this.out = out;
        this.load = new LoadControl(settings.encoding().speed());
    }

    /** Runs until the source has ended or the queue is closed. */
    void run() throws InterruptedException {
        try (layers;
                audio) {
            boolean more = true;
            while (more) {
                more =
                        switch (in.take()) {
                            case StageItem.Decoded decoded -> {
                                try (VideoFrame frame = decoded.frame()) {
                                    if (audioOpen && silent) {
                                        out.audio(audio.silence(frame.ptsUs()));
                                    }
                                    compose(frame, decoded);
                                }
                                yield true;
                            }
                            case StageItem.Passing(FeedItem item) -> {
                                pass(item);
                                yield true;
                            }
                            case StageItem.End _ -> {
                                endAudio();
                                yield false;
                            }
                        };
            }
        } finally {
            closeEncoder();
        }
    }

    /** Presentation time of the newest composed frame. */
    long newestPtsUs() {
        return newestPtsUs;
    }

    private void pass(FeedItem item) {
        switch (item) {
            case Timeline started -> {
                endAudio();
                Optional<Track> audioTrack = started.audio().map(audio::begin);
                silent = audioTrack.isEmpty();
                if (silent) {
                    audioTrack = audio.beginSilent();
                }
                audioOpen = audioTrack.isPresent();
                sourceTrack = started.video().orElse(null);
                EncoderSession open = encoder;
                if (open != null) {
                    open.keyFrameNext();
                }
                out.begin(started, audioTrack.orElse(null));
            }
            case Interruption _ -> {
                endAudio();
                out.interruption();
            }
            case AccessUnit unit -> out.audio(audio.pass(unit));
        }
    }

    private void endAudio() {
        if (audioOpen) {
            audioOpen = false;
            out.audio(audio.finish());
        }
    }

    private void compose(VideoFrame frame, StageItem.Decoded from) {
        long startNs = nanoTime.getAsLong();
        long ptsUs = frame.ptsUs();
        EncoderSession session = encoder(Canvas.of(frame.format()), frame.isOnGpu());
        RateFollower follower = rates;
        if (follower != null) {
            follower.add(ptsUs, from.codedBytes());
        }
        boolean late = load.drops(startNs - from.arrivedNs(), ptsUs);
        if (late || !session.accepts(ptsUs)) {
            dropped(ptsUs);
            return;
        }
        if (session.isSlowerThan(load.speed())) {
            session.keyFrameNext();
        }
        if (session.keyIsDue(ptsUs)) {
            beforeKeyFrame(session);
        }
        VideoFrame drawn = layers.draw(session.canvas(), frame);
        long drawnNs = System.nanoTime();
        List<AccessUnit> units = new ArrayList<>(session.encode(drawn));
        counters.spent(Stage.ENCODE, drawnNs);
        counters.encodedFrame();
        newestPtsUs = ptsUs;
        out.frames(session.track(), units);
        load.spent(nanoTime.getAsLong() - startNs);
        checkRelief(ptsUs);
    }

    /** Changes speed and rate at key frames only. */
    private void beforeKeyFrame(EncoderSession session) {
        session.switchTo(load.speed());
        RateFollower follower = rates;
        if (follower != null) {
            session.bitrate(follower.rateBps());
        }
    }

    private EncoderSession encoder(Canvas canvas, boolean onGpu) {
        EncoderSession open = encoder;
        if (open != null && open.fits(canvas, onGpu)) {
            return open;
        }
        closeEncoder();
        Track track = sourceTrack;
        int bitrateBps = settings.encoding().bitrateBps();
        if (bitrateBps == 0) {
            RateFollower follower = new RateFollower(canvas.width(), canvas.height());
            rates = follower;
            bitrateBps = follower.rateBps();
        }
        open =
                EncoderSession.open(
                        settings,
                        canvas,
                        track == null
                                ? VideoShape.UNKNOWN.nominalRate()
                                : VideoShape.of(track).nominalRate(),
                        bitrateBps,
                        load.speed(),
                        onGpu);
        encoder = open;
        return open;
    }

    private void dropped(long ptsUs) {
        counters.droppedFrame();
        lastDropUs = ptsUs;
        if (!overloaded && load.dropping()) {
            overloaded = true;
            String message =
                    "the machine does not keep up with the scoreboard: frames are left out"
                            + " (load %.0f %%)".formatted(load.load() * 100);
            log.warn("stream={} session={} {}", settings.stream(), settings.session(), message);
            listener.overloaded(message);
        }
    }

    private void checkRelief(long ptsUs) {
        if (overloaded && !load.dropping() && ptsUs - lastDropUs > RELIEF_US) {
            overloaded = false;
            log.info(
                    "stream={} session={} the machine keeps up again",
                    settings.stream(),
                    settings.session());
            listener.relieved();
        }
    }

    private void closeEncoder() {
        EncoderSession open = encoder;
        encoder = null;
        if (open != null) {
            open.close();
        }
    }
}
