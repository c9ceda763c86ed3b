package touchline.packager.clip;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
     */
    static BoundaryGops encode(
            ClipPlan plan,
            List<StoredSample> samples,
            Track track,
            Optional<ParameterSets> sets,
            GopReencoder encoder)
            throws IOException, InterruptedException {
        if (plan.head().isEmpty() && plan.tail().isEmpty()) {
            return new BoundaryGops(plan, List.of(), List.of());
        }
        Optional<BoundaryGops> made =
                sets.isPresent()
                        ? new Maker(samples, track, sets.get(), encoder).make(plan)
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
        private final GopReencoder encoder;
        private final double frameRate;

        Maker(List<StoredSample> samples, Track track, ParameterSets sets, GopReencoder encoder) {
            this.samples = samples;
            this.track = track;
            this.sets = sets;
            this.encoder = encoder;
            if (!(track.codec() instanceof CodecConfig.Avc(var config))) {
                throw new IllegalArgumentException("codec: " + track.codec().rfc6381());
            }
            this.frameRate = config.frameRate() > 0 ? config.frameRate() : DEFAULT_FRAME_RATE;
        }

        Optional<BoundaryGops> make(ClipPlan plan) throws IOException, InterruptedException {
            Optional<List<AccessUnit>> head = encode(plan.head());
            Optional<List<AccessUnit>> tail = head.isEmpty() ? head : encode(plan.tail());
            return head.isEmpty() || tail.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new BoundaryGops(plan, head.get(), tail.get()));
        }

        /** Empty if it cannot be encoded; an empty list if there is nothing to encode. */
        private Optional<List<AccessUnit>> encode(Optional<ClipPlan.Recode> request)
                throws IOException, InterruptedException {
            if (request.isEmpty()) {
                return Optional.of(List.of());
            }
            ClipPlan.Recode recode = request.get();
            List<StoredSample> group = samples.subList(recode.groupFrom(), recode.groupTo());
            List<AccessUnit> units = new ArrayList<>(group.size());
            try (SampleReader reader = new SampleReader()) {
                for (StoredSample sample : group) {
                    units.add(reader.unit(track, sample));
                }
            }
            Optional<Encoded> encoded =
                    sets.encode(
                            encoder,
                            id ->
                                    new Edge(
                                            track,
                                            units,
                                            recode.fromPtsTicks(),
                                            recode.toPtsTicks(),
                                            frameRate,
                                            id));
            // The new frames have the source's delay from decoding to presentation of a key frame:
            // that of the next one, since a recording's first has none.
            int delayTicks =
                    recode.groupTo() < samples.size()
                            ? samples.get(recode.groupTo()).compositionOffsetTicks()
                            : group.getFirst().compositionOffsetTicks();
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
