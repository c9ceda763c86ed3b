package touchline.media.hub;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;

/**
 * Makes the {@link Splice} of one switch, as soon as what is held suffices. The frames between the
 * end of the programme and the next key frame are encoded anew, so that every frame is there once.
 * Where that takes too long, or cannot be done, the splice has a run-up. Guarded by its session.
 */
final class SpliceMaker {
    private static final Logger log = LoggerFactory.getLogger(SpliceMaker.class);

    /** The programme stands no longer for content that has not arrived. */
    private static final long MAX_WAIT_NS = TimeUnit.SECONDS.toNanos(10);

    /** It stands no longer for the next key frame, and the encoder. */
    private static final long MAX_ENCODING_NS = TimeUnit.SECONDS.toNanos(3);

    private final BoundaryEncoder encoder;
    private final LongSupplier nanoTime;
    private final long sinceNs;
    private long readyNs = Long.MAX_VALUE;
    private boolean late;
    private @Nullable CompletableFuture<BoundaryEncoder.Frames> encoding;

    SpliceMaker(BoundaryEncoder encoder, LongSupplier nanoTime) {
        this.encoder = encoder;
        this.nanoTime = nanoTime;
        this.sinceNs = nanoTime.getAsLong();
    }

    /** Whether it took too long to continue where the programme ends. */
    boolean isLate() {
        return late;
    }

    /**
     * @param offsetUs media time less the publisher's time, for the same content
     * @return empty as long as something is missing
     */
    Optional<Splice> make(HeldMedia held, ProgramEnd end, long offsetUs) {
        long nowNs = nanoTime.getAsLong();
        if (encoding == null && nowNs - sinceNs > MAX_WAIT_NS) {
            late = true;
            return Splice.anyhow(held);
        }
        return switch (Splice.of(held, end, offsetUs)) {
            case Splice.NotYet _ -> Optional.empty();
            case Splice.Ready(Splice ready) -> {
                readyNs = Math.min(readyNs, nowNs);
                boolean encodes =
                        ready.runUp() > 0
                                && ready.track().codec() instanceof CodecConfig.Avc
                                && nowNs - readyNs < MAX_ENCODING_NS;
                yield encodes ? encoded(ready, held, end) : Optional.of(ready);
            }
        };
    }

    private Optional<Splice> encoded(Splice ready, HeldMedia held, ProgramEnd end) {
        CompletableFuture<BoundaryEncoder.Frames> running = encoding;
        Optional<AccessUnit> next = ready.nextKeyFrame();
        if (next.isEmpty() || !held.hasAudioUpTo(next.get().ptsUs())) {
            return Optional.empty();
        }
        if (running == null) {
            encoding = encoder.encode(request(ready, next.get(), end));
            running = encoding;
        }
        if (!running.isDone()) {
            return Optional.empty();
        }
        try {
            return Optional.of(ready.with(running.join(), next.get()));
        } catch (CompletionException | CancellationException e) {
            log.info("frames before the key frame are not encoded anew: {}", e.getMessage());
            return Optional.of(ready);
        }
    }

    private static BoundaryEncoder.Request request(Splice ready, AccessUnit next, ProgramEnd end) {
        Track track = ready.track();
        double nominal =
                track.codec() instanceof CodecConfig.Avc(var config) ? config.frameRate() : 0;
        List<AccessUnit> gop =
                ready.units().stream()
                        .takeWhile(unit -> !Splice.isSameFrame(unit, next))
                        .filter(unit -> unit.track().isVideo())
                        .toList();
        return new BoundaryEncoder.Request(
                track, gop, ready.shownFromTicks(), nominal > 0 ? nominal : 1e6 / end.frameUs());
    }
}
