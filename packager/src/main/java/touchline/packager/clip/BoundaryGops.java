package touchline.packager.clip;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.Sps;
import touchline.packager.clip.GopReencoder.Edge;
import touchline.packager.clip.GopReencoder.Encoded;

/**
 * The re-encoded frames at a clip's edges, and a decoder configuration with their parameter sets
 * beside the source's. Slices refer to theirs by id, so one sample entry serves all.
 *
 * @param plan the plan carried out: without edges if they cannot be encoded
 * @param head before the kept samples, with decode times on the source's line
 * @param tail behind them
 * @param configuration of all frames; empty where nothing was encoded
 */
record BoundaryGops(
        ClipPlan plan,
        List<AccessUnit> head,
        List<AccessUnit> tail,
        Optional<CodecConfig> configuration) {
    private static final int MAX_ID = 31;
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
     */
    static BoundaryGops encode(
            ClipPlan plan, List<StoredSample> samples, Track track, GopReencoder encoder)
            throws IOException, InterruptedException {
        boolean isAvc =
                track.codec() instanceof CodecConfig.Avc(var config)
                        && config.nalLengthBytes() == NAL_LENGTH_BYTES;
        if (plan.head().isEmpty() && plan.tail().isEmpty()) {
            return new BoundaryGops(plan, List.of(), List.of(), Optional.empty());
        }
        Optional<BoundaryGops> made =
                isAvc ? new Maker(samples, track, encoder).make(plan) : Optional.empty();
        return made.orElseGet(
                () ->
                        new BoundaryGops(
                                plan.withoutRecoding(), List.of(), List.of(), Optional.empty()));
    }

    /** One encoding of both edges. One thread. */
    private static final class Maker {
        private final List<StoredSample> samples;
        private final Track track;
        private final GopReencoder encoder;
        private final List<MemorySegment> sps = new ArrayList<>();
        private final List<MemorySegment> pps = new ArrayList<>();
        private final Set<Integer> usedIds = new HashSet<>();
        private final double frameRate;

        Maker(List<StoredSample> samples, Track track, GopReencoder encoder) {
            this.samples = samples;
            this.track = track;
            this.encoder = encoder;
            if (!(track.codec() instanceof CodecConfig.Avc(var config))) {
                throw new IllegalArgumentException("codec: " + track.codec().rfc6381());
            }
            add(config);
            this.frameRate = config.frameRate() > 0 ? config.frameRate() : DEFAULT_FRAME_RATE;
        }

        Optional<BoundaryGops> make(ClipPlan plan) throws IOException, InterruptedException {
            Optional<List<AccessUnit>> head = encode(plan.head());
            Optional<List<AccessUnit>> tail = head.isEmpty() ? head : encode(plan.tail());
            if (head.isEmpty() || tail.isEmpty()) {
                return Optional.empty();
            }
            CodecConfig merged = new CodecConfig.Avc(AvcConfig.of(sps, pps));
            return Optional.of(new BoundaryGops(plan, head.get(), tail.get(), Optional.of(merged)));
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
            int id = freeId();
            Edge edge =
                    new Edge(
                            track,
                            units,
                            recode.fromPtsTicks(),
                            recode.toPtsTicks(),
                            frameRate,
                            id);
            Optional<Encoded> encoded = encoder.encode(edge);
            encoded.ifPresent(result -> add(result.config()));
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

        private void add(AvcConfig config) {
            sps.addAll(config.sequenceParameterSets());
            pps.addAll(config.frameParameterSets());
            config.sequenceParameterSets().forEach(unit -> usedIds.add(Sps.parse(unit).id()));
            usedIds.addAll(config.frameParameterSetIds());
        }

        private int freeId() {
            for (int id = 1; id <= MAX_ID; id++) {
                if (!usedIds.contains(id)) {
                    return id;
                }
            }
            throw new IllegalStateException("all ids of parameter sets are in use");
        }
    }
}
