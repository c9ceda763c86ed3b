package touchline.media.alignment;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.concurrent.LogContext;
import touchline.media.concurrent.ThreadPriority;
import touchline.media.hub.PublishSource;
import touchline.media.hub.SourceAlignment;

/**
 * Measures the lag between two publishers by their audio: envelopes of the newest 16 s, compared
 * every 5 s. Decodes and compares on one platform thread of low priority, which starts with the
 * first audio. Holds at most {@value #MAX_WAITING} units, and about 1 MB of envelopes.
 */
public final class AudioAlignment implements SourceAlignment {
    private static final Logger log = LoggerFactory.getLogger(AudioAlignment.class);

    static final int MAX_WAITING = 4_096;

    /** Between two measurements: new audio of both. */
    private static final int EVERY_LEVELS = 5 * Envelope.LEVELS_HZ;

    /** The same while the lag is not known. */
    private static final int SEARCH_LEVELS = 2 * Envelope.LEVELS_HZ;

    private static final int NICENESS = 5;

    /** A unit to decode; without one, a command. */
    private record Step(PublishSource from, @Nullable AccessUnit unit, boolean ends) {}

    private final SessionId session;
    private final LongSupplier byArrivalUs;
    private final BlockingQueue<Step> steps = new ArrayBlockingQueue<>(MAX_WAITING);
    private final Map<PublishSource, EnvelopeDecoder> decoders = new EnumMap<>(PublishSource.class);
    private final LagHistory history = new LagHistory();
    private final EnvelopeCorrelation correlation = new EnvelopeCorrelation();

    /** Ends of both envelopes at the last measurement. */
    private final Map<PublishSource, Long> measured = new EnumMap<>(PublishSource.class);

    /** Restarts that the measuring thread has not come to: what it measures is out of date. */
    private final AtomicInteger restarts = new AtomicInteger();

    // Written by the measuring thread.
    private volatile Optional<Lag> newest = Optional.empty();
    private volatile boolean closed;

    private AudioAlignment(SessionId session, LongSupplier byArrivalUs) {
        this.session = session;
        this.byArrivalUs = byArrivalUs;
        for (PublishSource each : PublishSource.values()) {
            decoders.put(each, new EnvelopeDecoder());
        }
    }

    /** Opens an alignment on a thread of its own. */
    public static SourceAlignment open(SessionId session, LongSupplier byArrivalUs) {
        AudioAlignment opened = new AudioAlignment(session, byArrivalUs);
        Thread.ofPlatform()
                .name("align-" + session)
                .daemon()
                .start(LogContext.ofSession(session, opened::run));
        return opened;
    }

    @Override
    public void audio(PublishSource from, AccessUnit unit) {
        if (!closed) {
            // A full queue loses audio: the envelope then has a gap.
            boolean _ = steps.offer(new Step(from, unit, /* ends= */ false));
        }
    }

    @Override
    public void restart(PublishSource source) {
        if (!closed) {
            restarts.incrementAndGet();
            command(new Step(source, null, /* ends= */ false));
        }
    }

    @Override
    public Optional<Lag> newest() {
        return restarts.get() == 0 ? newest : Optional.empty();
    }

    @Override
    public void close() {
        closed = true;
        command(new Step(PublishSource.PRIMARY, null, /* ends= */ true));
    }

    /** Commands are never lost: audio that waits makes room. */
    private void command(Step step) {
        while (!steps.offer(step)) {
            boolean _ = steps.removeIf(waiting -> waiting.unit() != null);
        }
    }

    private void run() {
        ThreadPriority.lower(NICENESS);
        try {
            for (Step step = steps.take(); !step.ends(); step = steps.take()) {
                perform(step);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("session={} audio cannot be aligned any more", session, e);
        } finally {
            closed = true;
            newest = Optional.empty();
            decoders.values().forEach(EnvelopeDecoder::close);
        }
    }

    private void perform(Step step) {
        EnvelopeDecoder decoder = decoder(step.from());
        AccessUnit unit = step.unit();
        if (unit == null) {
            decoder.restart();
            history.clear();
            measured.clear();
            newest = Optional.empty();
            restarts.decrementAndGet();
            return;
        }
        decoder.add(unit);
        if (isDue(PublishSource.PRIMARY) && isDue(PublishSource.BACKUP)) {
            measure();
        }
    }

    private EnvelopeDecoder decoder(PublishSource source) {
        return Objects.requireNonNull(decoders.get(source));
    }

    private boolean isDue(PublishSource source) {
        Envelope envelope = decoder(source).envelope();
        Long before = measured.get(source);
        return envelope.size() >= EnvelopeCorrelation.MIN_OVERLAP
                && (before == null || Math.abs(envelope.end() - before) >= pauseLevels());
    }

    private int pauseLevels() {
        return newest.filter(Lag::isReliable).isPresent() ? EVERY_LEVELS : SEARCH_LEVELS;
    }

    private void measure() {
        Envelope primary = decoder(PublishSource.PRIMARY).envelope();
        Envelope backup = decoder(PublishSource.BACKUP).envelope();
        measured.put(PublishSource.PRIMARY, primary.end());
        measured.put(PublishSource.BACKUP, backup.end());
        long expected = Math.round(byArrivalUs.getAsLong() * (Envelope.LEVELS_HZ / 1e6));
        correlation
                .match(primary, backup, expected)
                .ifPresent(
                        match ->
                                history.add(
                                        (double) primary.end() / Envelope.LEVELS_HZ,
                                        match.lagLevels() / Envelope.LEVELS_HZ,
                                        match.confidence()));
        newest = history.newest();
    }
}
