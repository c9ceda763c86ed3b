package touchline.media.rendition;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.Timeline;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.FeedReader;

/**
 * The renditions of one session. Scales each frame once for each rendition: every size from the
 * next larger one. The scaling thread calls; {@link #status} by any thread.
 *
 * <p>The value of a rendition is the smaller, the more it costs: the largest is dropped first. The
 * smallest costs least, and the viewers with the worst connections depend on it.
 */
final class RenditionPyramid implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RenditionPyramid.class);

    private final String session;
    private final RenditionSettings settings;
    private final RenditionLadder.Dependencies dependencies;

    /** The largest first. */
    private final List<Rung> rungs = new CopyOnWriteArrayList<>();

    private @Nullable Timeline timeline;
    private Ladder.Source source = new Ladder.Source(0, 0, 0);
    private double sampleAspect = 1;
    private boolean resolved;
    private Set<Integer> provided = Set.of();
    private final List<Integer> warnedOf = new ArrayList<>();

    RenditionPyramid(
            String session, RenditionSettings settings, RenditionLadder.Dependencies dependencies) {
        this.session = session;
        this.settings = settings;
        this.dependencies = dependencies;
    }

    /** A timeline with video; its first frame decides which renditions it has. */
    void begin(Timeline program) {
        timeline = program;
        resolved = false;
        rungs.forEach(Rung::newTimeline);
    }

    /** Shorter sides that are not made, from the next frame on. */
    void provided(Set<Integer> sides) {
        if (!provided.equals(sides)) {
            provided = Set.copyOf(sides);
            resolved = false;
        }
    }

    /** The publisher is gone. */
    void interruption() throws InterruptedException {
        timeline = null;
        for (Rung each : rungs) {
            RenditionEncoder running = each.encoder();
            if (running != null) {
                running.interruption();
            }
        }
    }

    /** Whether no frame is needed before {@link #takeBack}. */
    boolean isIdle() {
        return resolved && rungs.stream().noneMatch(Rung::isRunning);
    }

    List<RenditionStatus> status() {
        return rungs.stream().map(Rung::status).toList();
    }

    /**
     * Passes a frame to all renditions.
     *
     * @param frame borrowed
     * @param square whether its samples are square, whatever it says itself
     * @param patienceNs wait no longer for an encoder that is behind
     */
    void encode(VideoFrame frame, FrameTimes.Times times, boolean square, long patienceNs)
            throws InterruptedException {
        Timeline program = timeline;
        if (program == null) {
            return;
        }
        if (!resolved) {
            resolve(program, frame, square, times.ptsTicks());
        }
        ArrayDeque<Scaled> scaled = new ArrayDeque<>(rungs.size());
        try {
            scale(frame, times, scaled);
            while (!scaled.isEmpty()) {
                Scaled next = scaled.remove();
                pass(program, next.rung(), next.frame(), patienceNs);
            }
        } finally {
            scaled.forEach(each -> each.frame().frame().close());
        }
    }

    private record Scaled(Rung rung, EncodingItem.Frame frame) {}

    private void scale(VideoFrame frame, FrameTimes.Times times, Deque<Scaled> scaled) {
        long startNs = System.nanoTime();
        VideoFrame from = frame;
        for (Rung each : rungs) {
            if (each.isDue(times)) {
                from = each.scale(from, target(each, frame.format()));
                scaled.add(new Scaled(each, new EncodingItem.Frame(from, times)));
            }
        }
        dependencies.counters().spent(RenditionCounters.Stage.SCALE, startNs);
    }

    private void pass(Timeline program, Rung rung, EncodingItem.Frame frame, long patienceNs)
            throws InterruptedException {
        RenditionEncoder running = rung.encoder();
        if (running == null) {
            frame.frame().close();
            return;
        }
        if (rung.mustBegin()) {
            running.begin(program, rung.format(), stream(rung, frame.frame()));
            rung.begin();
        }
        running.encode(frame, patienceNs);
    }

    private static FrameFormat target(Rung rung, FrameFormat from) {
        // Players guess unspecified colours by the size, which differs.
        return new FrameFormat(
                rung.format().width(),
                rung.format().height(),
                from.colour().orUsual(from.height()));
    }

    private EncodedStream stream(Rung rung, VideoFrame first) {
        double frameRate =
                rung.format().frameRate() > 0 ? rung.format().frameRate() : source.frameRate();
        return new EncodedStream(
                first.format(),
                first.isOnGpu(),
                sampleAspect,
                SourceShape.nominal(frameRate),
                rung.format().bitrateBps(),
                dependencies.encoding());
    }

    private void resolve(Timeline program, VideoFrame frame, boolean square, long fromPtsTicks) {
        resolved = true;
        double frameRate =
                program.video().map(SourceShape::of).map(SourceShape::frameRate).orElse(0.0);
        source = new Ladder.Source(frame.format().width(), frame.format().height(), frameRate);
        sampleAspect = square ? 1 : frame.sampleAspect();
        Ladder ladder = Ladder.of(settings, source);
        for (Integer height : ladder.leftOut()) {
            if (!warnedOf.contains(height)) {
                warnedOf.add(height);
                dependencies.listener().leftOut(height, source);
            }
        }
        List<Rung> before = List.copyOf(rungs);
        List<Rung> next = new ArrayList<>();
        for (RenditionFormat format : ladder.renditions()) {
            if (provided.contains(format.shorterSide())) {
                continue;
            }
            next.add(
                    before.stream()
                            .filter(each -> each.format().name().equals(format.name()))
                            .findFirst()
                            .orElseGet(() -> new Rung(format)));
            next.getLast().format(format);
        }
        before.stream().filter(each -> !next.contains(each)).forEach(this::end);
        rungs.clear();
        rungs.addAll(next);
        // The most valuable first: the limit may be near.
        next.reversed().stream()
                .filter(each -> !before.contains(each))
                .forEach(each -> startOrDrop(each, fromPtsTicks));
    }

    private void startOrDrop(Rung rung, long fromPtsTicks) {
        if (dependencies.rules().take()) {
            start(rung, fromPtsTicks);
        } else {
            dropped(
                    rung,
                    "%d renditions run already (encoder.max-renditions)"
                            .formatted(dependencies.rules().limit()));
        }
    }

    private void start(Rung rung, long fromPtsTicks) {
        RenditionEncoder fresh =
                new RenditionEncoder(session, rung.format(), dependencies.counters());
        FeedReader reader = fresh.start();
        rung.run(fresh, fromPtsTicks);
        dependencies.listener().started(rung.format(), reader);
    }

    /** Starts the most valuable dropped rendition, if the rules permit, at a key frame. */
    void takeBack(long keyPtsTicks) {
        Optional<Rung> wanted =
                List.copyOf(rungs).reversed().stream()
                        .filter(each -> !each.isRunning())
                        .findFirst();
        if (!resolved || wanted.isEmpty() || !dependencies.rules().take()) {
            return;
        }
        if (dependencies.rules().mayTakeBack()) {
            log.info("session={} {} is taken back", session, wanted.get().format().name());
            start(wanted.get(), keyPtsTicks);
        } else {
            dependencies.rules().release();
        }
    }

    /** Drops the running rendition of the least value. */
    void dropOne(String reason) {
        rungs.stream().filter(Rung::isRunning).findFirst().ifPresent(each -> drop(each, reason));
    }

    /** Drops one, by its name, if it runs. */
    void drop(String name, String reason) {
        rungs.stream()
                .filter(each -> each.isRunning() && each.format().name().equals(name))
                .findFirst()
                .ifPresent(each -> drop(each, reason));
    }

    /** Drops those that cannot go on; true if there were any. */
    boolean dropFailed() {
        boolean any = false;
        for (Rung each : rungs) {
            RenditionEncoder running = each.encoder();
            Optional<String> failure = running == null ? Optional.empty() : running.failure();
            if (failure.isPresent()) {
                drop(each, failure.get());
                any = true;
            }
        }
        return any;
    }

    void dropAll(String reason) {
        rungs.stream().filter(Rung::isRunning).forEach(each -> drop(each, reason));
    }

    private void drop(Rung rung, String reason) {
        rung.stop();
        dependencies.rules().release();
        dropped(rung, reason);
    }

    private void dropped(Rung rung, String reason) {
        log.warn("session={} {} is dropped: {}", session, rung.format().name(), reason);
        dependencies.counters().of(rung.format().shorterSide()).countDrop();
        dependencies.listener().dropped(rung.format(), reason);
    }

    /** The program has no video, or none that is decoded. */
    void endAll() {
        rungs.forEach(this::end);
        rungs.clear();
        timeline = null;
        resolved = false;
    }

    private void end(Rung rung) {
        if (rung.isRunning()) {
            rung.stop();
            dependencies.rules().release();
        }
        dependencies.listener().ended(rung.format());
    }

    /** The program has ended: lets the encoders encode what waits. */
    void finish() throws InterruptedException {
        for (Rung each : rungs) {
            RenditionEncoder running = each.encoder();
            if (running != null) {
                running.finish();
            }
        }
        for (Rung each : rungs) {
            RenditionEncoder running = each.encoder();
            if (running != null) {
                running.awaitEnd();
            }
        }
    }

    /** Stops all at once. */
    @Override
    public void close() {
        for (Rung each : rungs) {
            if (each.isRunning()) {
                each.stop();
                dependencies.rules().release();
            }
        }
    }
}
