package touchline.packager.hls;

import java.time.Instant;
import java.util.Optional;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.packager.isobmff.Fragment.Run;

/**
 * The units of a rendition that wait for the source's parts to which they belong. One thread reads
 * the feed, another takes units. Timelines of both feeds belong together by {@link
 * Timeline#startedAt}.
 */
interface RenditionMedia {
    /** Whether the units of a part are there. */
    enum Readiness {
        COMPLETE,
        WAITING,
        /** They will not come: the rendition cannot have this part. */
        NEVER
    }

    /** Called by the reading thread. */
    void accept(FeedItem item);

    /** The feed has dropped units. */
    void dropped();

    /** Nothing more comes. */
    void end();

    /** Drops everything; nothing more is taken. */
    void clear();

    /** Frames beside the source's audio; else audio alone. */
    boolean isVideo();

    /** What is written of it. */
    default RenditionWriter.Content content() {
        return RenditionWriter.Content.ALL;
    }

    /** Whether the rendition may start with this part of the source. */
    boolean canStart(SourceEvent.Part part);

    /** Track of the timeline that belongs to one of the source. */
    Optional<Track> track(Instant startedAt);

    /** The newest timeline. */
    Optional<Timeline> newest();

    /**
     * Waits until the units of a part are there, or it is known that they never will be.
     *
     * @param part of the source
     * @param init of the source, which decodes it
     * @param patienceNs wait no longer
     */
    Readiness await(SourceEvent.Part part, SourceEvent.Init init, long patienceNs)
            throws InterruptedException;

    /** Removes the units of a part, and makes them samples with its times; empty for none. */
    Optional<Run> take(SourceEvent.Part part, SourceEvent.Init init);
}
