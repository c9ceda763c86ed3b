package touchline.packager.clip;

import java.util.List;
import java.util.Optional;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;

/**
 * Port: decodes a group of frames and encodes some of them anew. What it decodes comes from
 * strangers, so that the implementation does it in another process.
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
     * @param parameterSetId id of sequence and picture parameter set, free in the track
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
     * @return empty where this host has no encoder that can number its parameter sets
     * @throws InterruptedException when the thread is interrupted; what ran is ended
     */
    Optional<Encoded> encode(Edge edge) throws InterruptedException;
}
