package touchline.packager.clip;

import java.util.List;
import java.util.Optional;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;

/**
 * Port: decodes a GOP and encodes some of its frames again. The input is untrusted, so the
 * implementation does this in another process.
 */
@FunctionalInterface
public interface GopReencoder {
    /**
     * Which frames of a group.
     *
     * @param track of the group
     * @param group in decode order, the first one a key frame
     * @param fromPtsTicks first presentation time, in the track's timescale
     * @param toPtsTicks where they end, exclusive
     * @param frameRate frames a second, nominal
     * @param parameterSetId id of the new sequence and PPS, unused in the track
     */
    record Edge(
            Track track,
            List<AccessUnit> group,
            long fromPtsTicks,
            long toPtsTicks,
            double frameRate,
            int parameterSetId) {
        public Edge {
            group = List.copyOf(group);
        }
    }

    /**
     * The frames anew.
     *
     * @param config with the parameter sets of the requested id
     * @param units in presentation order, decode time = presentation time; the first one is a key
     *     frame; NAL units behind lengths of 4 bytes
     */
    record Encoded(AvcConfig config, List<AccessUnit> units) {
        public Encoded {
            units = List.copyOf(units);
        }
    }

    /**
     * Blocks as long as it takes.
     *
     * @return empty if this host has no encoder that can number its parameter sets
     * @throws InterruptedException when the thread is interrupted; the encoding has ended
     */
    Optional<Encoded> encode(Edge edge) throws InterruptedException;
}
