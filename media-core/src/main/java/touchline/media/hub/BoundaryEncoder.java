package touchline.media.hub;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import touchline.media.AccessUnit;
import touchline.media.Track;

/**
 * Port: encodes the frames between the end of a programme and the next key frame of the publisher
 * that continues it. Any thread; does not block.
 */
@FunctionalInterface
public interface BoundaryEncoder {
    /** Encodes nothing: a programme continues with a run-up. */
    BoundaryEncoder NONE =
            _ ->
                    CompletableFuture.failedFuture(
                            new UnsupportedOperationException("there is no encoder"));

    /**
     * The last frames of a GOP.
     *
     * @param track of the GOP
     * @param gop in decode order; the first one is a key frame
     * @param fromPtsTicks presentation time of the first frame to encode
     * @param frameRate frames a second
     */
    record Request(Track track, List<AccessUnit> gop, long fromPtsTicks, double frameRate) {
        public Request {
            gop = List.copyOf(gop);
        }
    }

    /**
     * The frames anew.
     *
     * @param track with another configuration
     * @param units in presentation order, decode time = presentation time; the first one is a key
     *     frame
     */
    record Frames(Track track, List<AccessUnit> units) {
        public Frames {
            units = List.copyOf(units);
            if (units.isEmpty() || !units.getFirst().isKeyFrame()) {
                throw new IllegalArgumentException("frames begin with a key frame");
            }
        }
    }

    /** Fails where the frames cannot be decoded or encoded. */
    CompletableFuture<Frames> encode(Request request);
}
