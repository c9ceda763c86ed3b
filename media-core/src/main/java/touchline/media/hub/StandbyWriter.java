package touchline.media.hub;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Timescale;

/** Repeats standby media in real time. Guarded by its session. */
final class StandbyWriter {
    /** A process that stood still for longer does not make up for it. */
    private static final long MAX_BEHIND_US = 2_000_000;

    private final List<Position> positions = new ArrayList<>(2);
    private final long startUs;
    private long startNs;
    private boolean begun;

    /**
     * @param startUs media time of the first unit
     * @param startNs clock at that time; what has been due since then comes first, at once
     */
    StandbyWriter(StandbyMedia media, long startUs, long startNs) {
        this.startUs = startUs;
        this.startNs = startNs;
        media.loops().forEach(loop -> positions.add(new Position(loop, startUs)));
    }

    /** Passes the units that are due, in decode order over all tracks. */
    void writeDue(long nowNs, Consumer<AccessUnit> out) {
        long dueUs = startUs + TimeUnit.NANOSECONDS.toMicros(nowNs - startNs);
        long behindUs = dueUs - next().unit().dtsUs();
        if (begun && behindUs > MAX_BEHIND_US) {
            startNs += TimeUnit.MICROSECONDS.toNanos(behindUs);
            dueUs -= behindUs;
        }
        begun = true;
        Position first = next();
        while (first.unit().dtsUs() <= dueUs) {
            out.accept(first.unit());
            first.advance();
            first = next();
        }
    }

    private Position next() {
        Position first = positions.getFirst();
        for (Position each : positions) {
            if (each.unit().dtsUs() < first.unit().dtsUs()) {
                first = each;
            }
        }
        return first;
    }

    /** The next unit of a track. */
    private static final class Position {
        private final StandbyMedia.Loop loop;
        private final long startTicks;
        private long number;
        private @Nullable AccessUnit unit;

        Position(StandbyMedia.Loop loop, long startUs) {
            this.loop = loop;
            Timescale timescale = loop.track().timescale();
            long ticks = timescale.fromUs(startUs);
            this.startTicks = timescale.toUs(ticks) < startUs ? ticks + 1 : ticks;
        }

        AccessUnit unit() {
            AccessUnit made = unit;
            if (made == null) {
                made = loop.unit(number, startTicks);
                unit = made;
            }
            return made;
        }

        void advance() {
            number++;
            unit = null;
        }
    }
}
