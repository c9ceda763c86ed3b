package touchline.media.rendition;

import java.util.Set;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.hub.FeedReader;

/**
 * Receives what happens to the renditions of one session, in order, on threads of its renditions.
 * Must return quickly.
 */
public interface RenditionListener {
    /**
     * A rendition begins, or begins again after a drop.
     *
     * @param units its feed from the first timeline on; closed by the receiver
     */
    void started(RenditionFormat format, FeedReader units);

    /** A rendition ends because the source is too small for it now, or has no video. */
    void ended(RenditionFormat format);

    /**
     * A rendition ends because of load.
     *
     * @param reason for people
     */
    void dropped(RenditionFormat format, String reason);

    /** A rendition is not made because it is not below the source. */
    void leftOut(int height, Ladder.Source source);

    /** Shorter sides that the encoder of the source sends itself: not made; asked at key frames. */
    default Set<Integer> provided() {
        return Set.of();
    }

    /** Names of renditions whose packaging is late; asked at key frames. */
    Set<String> late();

    /** The source is too large to be decoded, or the memory for decoders is used up. */
    void refused(DecodingRefusedException cause);
}
