package touchline.packager.hls;

import java.time.Instant;
import java.util.Optional;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.packager.isobmff.Fragment.Run;

/**
 * One track of the source as a rendition of its own: players that change the audio need frames and
 * audio in playlists of their own. The parts of the source have all its units. Any thread.
 */
final class SourceTrack implements RenditionMedia {
    private final boolean video;

    // Written by the taking thread.
    private volatile Optional<Timeline> newest = Optional.empty();

    SourceTrack(boolean video) {
        this.video = video;
    }

    @Override
    public void accept(FeedItem item) {
        throw new IllegalStateException("it has no feed");
    }

    @Override
    public void dropped() {
        // It has no feed.
    }

    @Override
    public void end() {
        // Its feed is empty.
    }

    @Override
    public void clear() {
        // It holds nothing.
    }

    @Override
    public boolean isVideo() {
        return video;
    }

    @Override
    public RenditionWriter.Content content() {
        return video ? RenditionWriter.Content.FRAMES_OF_SOURCE : RenditionWriter.Content.ALL;
    }

    @Override
    public boolean canStart(SourceEvent.Part part) {
        return video ? part.video().startsAnew() : !part.audio().isEmpty();
    }

    @Override
    public Optional<Track> track(Instant startedAt) {
        return newest.flatMap(now -> video ? now.video() : now.audio());
    }

    @Override
    public Optional<Timeline> newest() {
        return newest;
    }

    @Override
    public Readiness await(SourceEvent.Part part, SourceEvent.Init init, long patienceNs) {
        newest = Optional.of(init.timeline());
        return Readiness.COMPLETE;
    }

    @Override
    public Optional<Run> take(SourceEvent.Part part, SourceEvent.Init init) {
        return video ? part.lead() : part.audio().stream().findFirst();
    }
}
