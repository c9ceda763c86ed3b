package touchline.packager.clip;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import touchline.media.CodecConfig;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.Sps;
import touchline.packager.clip.GopReencoder.Edge;
import touchline.packager.clip.GopReencoder.Encoded;

/**
 * Parameter sets of a source and those of its re-encoded frames, under ids that differ. Slices name
 * theirs by id, so one sample entry serves all. One thread.
 */
final class ParameterSets {
    private static final int MAX_ID = 31;

    private final boolean shares;
    private final List<MemorySegment> sps = new ArrayList<>();
    private final List<MemorySegment> pps = new ArrayList<>();
    private final Set<Integer> usedIds = new HashSet<>();

    /** Of the re-encoded frames, the newest last. */
    private final Map<Integer, AvcConfig> encoded = new LinkedHashMap<>();

    /**
     * @param source configuration of the frames that are kept
     * @param shares whether all edges use one id as long as the encoder writes the same parameter
     *     sets: there are 32 ids, and a clip of 50 ranges has 100 edges
     */
    ParameterSets(AvcConfig source, boolean shares) {
        this.shares = shares;
        add(source);
    }

    /** Of all frames so far; empty as long as none was encoded. */
    Optional<CodecConfig> merged() {
        return encoded.isEmpty()
                ? Optional.empty()
                : Optional.of(new CodecConfig.Avc(AvcConfig.of(sps, pps)));
    }

    /**
     * Encodes an edge under an id that fits.
     *
     * @param edge by the id of its parameter sets
     * @return empty if it cannot be encoded
     */
    Optional<Encoded> encode(GopReencoder encoder, IntFunction<Edge> edge)
            throws IOException, InterruptedException {
        if (shares && !encoded.isEmpty()) {
            Map.Entry<Integer, AvcConfig> newest = List.copyOf(encoded.entrySet()).getLast();
            Optional<Encoded> same = encoder.encode(edge.apply(newest.getKey()));
            if (same.isEmpty() || same.get().config().equals(newest.getValue())) {
                return same;
            }
            // Another level, for instance: it would replace what the other edges refer to.
        }
        Optional<Integer> id = freeId(/* after= */ 0);
        Optional<Encoded> result =
                id.isEmpty() ? Optional.empty() : encoder.encode(edge.apply(id.get()));
        result.ifPresent(
                found -> {
                    add(found.config());
                    encoded.put(id.orElseThrow(), found.config());
                });
        return result;
    }

    /** Ids under which {@link #encode} tries the next two edges. */
    record NextIds(int first, int second) {}

    /** Empty if there are none left. The second is right unless the first edge needs two tries. */
    Optional<NextIds> nextIds() {
        if (shares && !encoded.isEmpty()) {
            int newest = List.copyOf(encoded.keySet()).getLast();
            return Optional.of(new NextIds(newest, newest));
        }
        Optional<Integer> first = freeId(/* after= */ 0);
        Optional<Integer> second = shares ? first : first.flatMap(this::freeId);
        return first.flatMap(id -> second.map(next -> new NextIds(id, next)));
    }

    /**
     * Takes the sets of other edges of the same source.
     *
     * @return false if one has an id that is in use for another; nothing is taken then
     */
    boolean merge(ParameterSets other) {
        for (Map.Entry<Integer, AvcConfig> set : other.encoded.entrySet()) {
            AvcConfig own = encoded.get(set.getKey());
            if (own == null ? usedIds.contains(set.getKey()) : !own.equals(set.getValue())) {
                return false;
            }
        }
        other.encoded.forEach(
                (id, config) -> {
                    if (encoded.putIfAbsent(id, config) == null) {
                        add(config);
                    }
                });
        return true;
    }

    private void add(AvcConfig config) {
        sps.addAll(config.sequenceParameterSets());
        pps.addAll(config.frameParameterSets());
        config.sequenceParameterSets().forEach(unit -> usedIds.add(Sps.parse(unit).id()));
        usedIds.addAll(config.frameParameterSetIds());
    }

    private Optional<Integer> freeId(int after) {
        for (int id = after + 1; id <= MAX_ID; id++) {
            if (!usedIds.contains(id)) {
                return Optional.of(id);
            }
        }
        return Optional.empty();
    }
}
