package touchline.media.rendition;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;

/**
 * The frames of the program, one for each of its video units, in presentation order: those of the
 * compositor where one runs, else decoded ones. Where a frame is missing, the one before is passed
 * again. One thread.
 */
final class FrameSupply implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FrameSupply.class);

    private static final int LARGE_PIXELS = 1920 * 1088;
    private static final long WARN_EVERY_NS = 1_000_000_000L;

    /** Receives the frames. */
    @FunctionalInterface
    interface Output {
        /**
         * @param frame borrowed for the call
         * @param times of the rendition's unit
         */
        void frame(VideoFrame frame, FrameTimes.Times times) throws InterruptedException;
    }

    private final String session;
    private final CompositedFrames composited;
    private final RenditionCounters counters;
    private final Output output;
    private final FrameTimes times = new FrameTimes();

    private boolean hardwareAllowed;
    private boolean onHardware;
    private @Nullable VideoDecoder decoder;
    private @Nullable Track decoded;
    private @Nullable VideoFrame last;
    private boolean usesComposited;
    private boolean compositedSinceKey;
    private boolean waitsForKeyFrame = true;
    private long warnedNs;

    /**
     * @param composited borrowed
     * @param hardwareAllowed whether a GPU may decode
     */
    FrameSupply(
            String session,
            CompositedFrames composited,
            RenditionCounters counters,
            boolean hardwareAllowed,
            Output output) {
        this.session = session;
        this.composited = composited;
        this.counters = counters;
        this.hardwareAllowed = hardwareAllowed;
        this.output = output;
    }

    /** Whether the frames are the compositor's. */
    boolean usesComposited() {
        return usesComposited;
    }

    /**
     * A video unit of the program.
     *
     * @throws DecodingRefusedException the frames are too large, or the memory for decoders is used
     *     up
     */
    void accept(AccessUnit unit) throws InterruptedException {
        if (waitsForKeyFrame && !unit.isKeyFrame()) {
            return;
        }
        waitsForKeyFrame = false;
        // In 1/90 000 s, as all video tracks.
        long pts = unit.ptsTicks();
        Optional<VideoFrame> drawn = composited.take(pts);
        try {
            if (unit.isKeyFrame()) {
                choose(drawn.isPresent());
            }
            compositedSinceKey |= drawn.isPresent();
            times.add(unit.dtsTicks(), pts, unit.idr());
        } catch (RuntimeException | InterruptedException e) {
            drawn.ifPresent(VideoFrame::close);
            throw e;
        }
        if (usesComposited) {
            if (drawn.isPresent()) {
                show(drawn.get());
            } else {
                repeatUpTo(pts);
            }
        } else {
            drawn.ifPresent(VideoFrame::close);
            decode(unit);
        }
        while (times.isFull()) {
            repeat(times.oldest());
        }
    }

    /** At key frames: a compositor may have taken over, or have ended. */
    private void choose(boolean drawn) throws InterruptedException {
        boolean now = drawn || (usesComposited && compositedSinceKey);
        if (now && !usesComposited) {
            drain();
            closeDecoder();
        }
        usesComposited = now;
        compositedSinceKey = false;
    }

    /** The timeline is over. */
    void end() throws InterruptedException {
        drain();
        while (!times.isEmpty()) {
            repeat(times.oldest());
        }
        clear();
    }

    /** No frames are needed until {@link #accept} is called again, at a key frame. */
    void pause() {
        clear();
        closeDecoder();
    }

    private void clear() {
        times.clear();
        closeLast();
        waitsForKeyFrame = true;
    }

    private void decode(AccessUnit unit) throws InterruptedException {
        long startNs = System.nanoTime();
        List<VideoFrame> frames;
        try {
            frames = framesOf(unit);
        } catch (DecodingRefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            broken(e);
            return;
        } finally {
            counters.spent(RenditionCounters.Stage.DECODE, startNs);
        }
        showAll(frames);
    }

    private void showAll(List<VideoFrame> frames) throws InterruptedException {
        int next = 0;
        try {
            while (next < frames.size()) {
                next++;
                show(frames.get(next - 1));
            }
        } finally {
            frames.subList(next, frames.size()).forEach(VideoFrame::close);
        }
    }

    /** Passes a frame, and the one before it for those that are missing between them. */
    private void show(VideoFrame frame) throws InterruptedException {
        try {
            for (FrameTimes.Times due : times.upTo(frame.ptsTicks())) {
                VideoFrame before = last;
                if (before == null || due.ptsTicks() == frame.ptsTicks()) {
                    output.frame(frame, due);
                } else {
                    output.frame(before, due);
                }
            }
        } finally {
            closeLast();
            last = frame;
        }
    }

    private void repeatUpTo(long pts) throws InterruptedException {
        for (FrameTimes.Times due : times.upTo(pts)) {
            repeat(due);
        }
    }

    private void repeat(FrameTimes.Times due) throws InterruptedException {
        VideoFrame before = last;
        if (before != null) {
            output.frame(before, due);
        }
    }

    private List<VideoFrame> framesOf(AccessUnit unit) {
        try {
            return decoder(unit.track()).decode(unit);
        } catch (DecodingRefusedException e) {
            throw e;
        } catch (MalformedMediaException e) {
            if (!onHardware || last != null) {
                throw e;
            }
            // A GPU that fails at the first frame: the session goes on in software.
            hardwareAllowed = false;
            closeDecoder();
            return decoder(unit.track()).decode(unit);
        }
    }

    private VideoDecoder decoder(Track track) {
        VideoDecoder open = decoder;
        if (open != null && track.equals(decoded)) {
            return open;
        }
        closeDecoder();
        open = hardwareAllowed ? VideoDecoder.openHardware(track).orElse(null) : null;
        onHardware = open != null;
        if (open == null) {
            open = VideoDecoder.open(track, threads(track));
        }
        log.info(
                "session={} decoding {} {} for renditions",
                session,
                track.codec().rfc6381(),
                onHardware ? "on the GPU" : "in software");
        decoder = open;
        decoded = track;
        return open;
    }

    /** Each additional thread delays by a frame: several only for large frames. */
    private static int threads(Track track) {
        return SourceShape.of(track).pixels() > LARGE_PIXELS
                ? Math.min(4, Runtime.getRuntime().availableProcessors())
                : 1;
    }

    private void drain() throws InterruptedException {
        VideoDecoder open = decoder;
        if (open == null) {
            return;
        }
        List<VideoFrame> frames;
        try {
            frames = open.drain();
        } catch (RuntimeException e) {
            broken(e);
            return;
        }
        showAll(frames);
    }

    /**
     * One frame never ends the renditions. After an unexpected error the decoder is opened again.
     */
    private void broken(RuntimeException cause) {
        if (!(cause instanceof MalformedMediaException)) {
            closeDecoder();
        }
        counters.countBrokenUnit();
        long now = System.nanoTime();
        if (warnedNs == 0 || now - warnedNs > WARN_EVERY_NS) {
            warnedNs = now;
            log.info("session={} a frame cannot be decoded: {}", session, cause.getMessage());
        }
    }

    private void closeDecoder() {
        VideoDecoder open = decoder;
        decoder = null;
        if (open != null) {
            open.close();
        }
    }

    private void closeLast() {
        VideoFrame before = last;
        last = null;
        if (before != null) {
            before.close();
        }
    }

    @Override
    public void close() {
        closeLast();
        closeDecoder();
    }
}
