package touchline.media.hub;

import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.Track;

/**
 * Standby media that a session needs. Immutable.
 *
 * @param settings what the slate shows
 * @param tracks of the publication that stopped: at least one, at most one of each kind
 * @param frameRate frames per second of its video; 0 if unknown
 * @param gop its last GOP in decode order, with its audio, to show the last frame; empty: the slate
 */
public record StandbyRequest(
        StandbySettings settings, List<Track> tracks, double frameRate, List<AccessUnit> gop) {
    public StandbyRequest {
        tracks = List.copyOf(tracks);
        gop = List.copyOf(gop);
    }
}
