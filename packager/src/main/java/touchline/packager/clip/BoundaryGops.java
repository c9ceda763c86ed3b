package touchline.packager.clip;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.packager.clip.GopReencoder.Edge;
import touchline.packager.clip.GopReencoder.Encoded;

/**
 * The re-encoded frames at a range's edges.
 *
 * @param plan the plan carried out: without edges if they cannot be encoded
 * @param head before the kept samples, with decode times on the source's line
 * @param tail behind them
 */
record BoundaryGops(ClipPlan plan, List<AccessUnit> head, List<AccessUnit> tail) {
    private static final int NAL_LENGTH_BYTES = 4;
    private static final double DEFAULT_FRAME_RATE = 30;
    private static final int EDGES = 2;

    BoundaryGops {
        head = List.copyOf(head);
        tail = List.copyOf(tail);
    }

    /**
     * Encodes the edges of a plan. If that is impossible, the clip goes from key frame to key
     * frame. (HEVC and AV1 are cut so: no encoder can share a configuration with them.)
     *
     * @param samples of the leading track, which the plan was made of
     * @param sets of the timeline; empty if no edge of the track can be encoded
     * @param together both edges at the same time, with the same result
     */
    static BoundaryGops encode(
            ClipPlan plan,
            List<StoredSample> samples,
            Track track,
            Optional<ParameterSets> sets,
            GopReencoder encoder,
            boolean together)
            throws IOException, InterruptedException {
        if (plan.head().isEmpty() && plan.tail().isEmpty()) {
            return new BoundaryGops(plan, List.of(), List.of());
        }
        Optional<BoundaryGops> made =
                sets.isPresent()
                        ? new Maker(samples, track, sets.get()).make(plan, encoder, together)
                        : Optional.empty();
        return made.orElseGet(() -> new BoundaryGops(plan.withoutRecoding(), List.of(), List.of()));
    }

    /** The sets that edges of a track are encoded with; empty if they cannot be. */
    static Optional<ParameterSets> parameterSets(Track track, boolean shares) {
        return track.codec() instanceof CodecConfig.Avc(var config)
                        && config.nalLengthBytes() == NAL_LENGTH_BYTES
                ? Optional.of(new ParameterSets(config, shares))
                : Optional.empty();
    }

    /** Where the last frame ends, in the source: with the presentation of the next one. */
    long presentedUntil(List<StoredSample> samples) {
        long lastTicks = Long.MIN_VALUE;
        for (StoredSample sample : samples.subList(plan.keptFrom(), plan.keptTo())) {
            lastTicks = Math.max(lastTicks, sample.ptsTicks());
        }
        for (List<AccessUnit> units : List.of(head, tail)) {
            for (AccessUnit unit : units) {
                lastTicks = Math.max(lastTicks, unit.ptsTicks());
            }
        }
        return RangeWriter.presentedUntil(samples, lastTicks);
    }

    /** The edges as frames of a timeline on which the source's times are later. */
    BoundaryGops shifted(long ticks) {
        return new BoundaryGops(plan, shifted(head, ticks), shifted(tail, ticks));
    }

    private static List<AccessUnit> shifted(List<AccessUnit> units, long ticks) {
        return units.stream()
                .map(
                        unit ->
                                unit.at(
                                        unit.track(),
                                        unit.dtsTicks() + ticks,
                                        unit.compositionTimeOffsetTicks()))
                .toList();
    }

    /** One encoding of both edges. One thread. */
    private static final class Maker {
        private final List<StoredSample> samples;
        private final Track track;
        private final ParameterSets sets;
        private final double frameRate;

        Maker(List<StoredSample> samples, Track track, ParameterSets sets) {
            this.samples = samples;
            this.track = track;
            this.sets = sets;
            if (!(track.codec() instanceof CodecConfig.Avc(var config))) {
                throw new IllegalArgumentException("codec: " + track.codec().rfc6381());
            }
            this.frameRate = config.frameRate() > 0 ? config.frameRate() : DEFAULT_FRAME_RATE;
        }

        Optional<BoundaryGops> make(ClipPlan plan, GopReencoder encoder, boolean together)
                throws IOException, InterruptedException {
            Optional<ParameterSets.NextIds> ids =
                    together && plan.head().isPresent() && plan.tail().isPresent()
                            ? sets.nextIds()
                            : Optional.empty();
            if (ids.isEmpty()) {
                Work later = new Work(Optional.empty(), encoder);
                return make(plan, later, later);
            }
            IntFunction<Edge> head = edges(plan.head().get());
            IntFunction<Edge> tail = edges(plan.tail().get());
            int first = ids.get().first();
            int second = ids.get().second();
            try (OrderedTasks<Optional<Encoded>> begun = new OrderedTasks<>(EDGES)) {
                begun.add(() -> encoder.encode(head.apply(first)));
                begun.add(() -> encoder.encode(tail.apply(second)));
                return make(
                        plan,
                        new Work(Optional.of(head), orEncode(first, begun, encoder)),
                        new Work(Optional.of(tail), orEncode(second, begun, encoder)));
            }
        }

        /** Takes what has begun under an id, and encodes anew under another one. */
        private static GopReencoder orEncode(
                int id, OrderedTasks<Optional<Encoded>> begun, GopReencoder encoder) {
            return edge -> {
                try {
                    return edge.parameterSetId() == id ? begun.next() : encoder.encode(edge);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            };
        }

        /**
         * How an edge is encoded.
         *
         * @param edges its units, if they have been read
         */
        private record Work(Optional<IntFunction<Edge>> edges, GopReencoder encoder) {}

        private Optional<BoundaryGops> make(ClipPlan plan, Work head, Work tail)
                throws IOException, InterruptedException {
            Optional<List<AccessUnit>> before = encode(plan.head(), head);
            Optional<List<AccessUnit>> behind =
                    before.isEmpty() ? before : encode(plan.tail(), tail);
            return before.isEmpty() || behind.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new BoundaryGops(plan, before.get(), behind.get()));
        }

        /** The edge by the id of its parameter sets. */
        private IntFunction<Edge> edges(ClipPlan.Recode recode) throws IOException {
            List<StoredSample> group = samples.subList(recode.groupFrom(), recode.groupTo());
            List<AccessUnit> units = new ArrayList<>(group.size());
            try (SampleReader reader = new SampleReader()) {
                for (StoredSample sample : group) {
                    units.add(reader.unit(track, sample));
                }
            }
            return id ->
                    new Edge(
                            track,
                            units,
                            recode.fromPtsTicks(),
                            recode.toPtsTicks(),
                            frameRate,
                            id);
        }

        /** Empty if it cannot be encoded; an empty list if there is nothing to encode. */
        private Optional<List<AccessUnit>> encode(Optional<ClipPlan.Recode> request, Work work)
                throws IOException, InterruptedException {
            if (request.isEmpty()) {
                return Optional.of(List.of());
            }
            ClipPlan.Recode recode = request.get();
            IntFunction<Edge> edges = work.edges().isPresent() ? work.edges().get() : edges(recode);
            Optional<Encoded> encoded = sets.encode(work.encoder(), edges);
            // The new frames have the source's delay from decoding to presentation of a key frame:
            // that of the next one, since a recording's first has none.
            int delayTicks =
                    recode.groupTo() < samples.size()
                            ? samples.get(recode.groupTo()).compositionOffsetTicks()
                            : samples.get(recode.groupFrom()).compositionOffsetTicks();
            return encoded.map(
                    result ->
                            result.units().stream()
                                    .map(
                                            unit ->
                                                    unit.at(
                                                            track,
                                                            unit.ptsTicks() - delayTicks,
                                                            delayTicks))
                                    .toList());
        }
    }
}
