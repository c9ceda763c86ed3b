package touchline.api.session;

import java.util.Set;
import java.util.stream.Collectors;
import touchline.media.hub.FeedReader;
import touchline.media.hub.TrackLabel;
import touchline.packager.hls.LiveRenditions;
import touchline.packager.hls.RenditionInfo;

/** The packaging of the renditions of one session. Any thread; no call waits. */
interface RenditionPackaging {
    /**
     * Begins with the source's next segment.
     *
     * @param units closed by the receiver
     */
    void start(String name, FeedReader units);

    /**
     * Begins an audio rendition, likewise.
     *
     * @param units closed by the receiver
     */
    void startAudio(String name, FeedReader units);

    /** What viewers are shown of an audio rendition. */
    void label(String name, TrackLabel label);

    /** What viewers are shown of the source's audio. */
    void sourceAudio(TrackLabel label);

    /** Whether it has ended by itself: its media is missing or far too late. */
    boolean hasFailed(String name);

    /** Its playlists answer 404 from now on. Idempotent. */
    void drop(String name);

    /** Those whose segments are late. */
    Set<String> late();

    static RenditionPackaging of(LiveRenditions renditions) {
        return new RenditionPackaging() {
            @Override
            public void start(String name, FeedReader units) {
                renditions.start(name, units);
            }

            @Override
            public void startAudio(String name, FeedReader units) {
                renditions.startAudio(name, units);
            }

            @Override
            public void label(String name, TrackLabel label) {
                renditions.label(name, label);
            }

            @Override
            public void sourceAudio(TrackLabel label) {
                renditions.sourceAudio(label);
            }

            @Override
            public boolean hasFailed(String name) {
                return renditions.list().stream()
                        .anyMatch(
                                each ->
                                        each.name().equals(name)
                                                && each.state() == RenditionInfo.State.FAILED);
            }

            @Override
            public void drop(String name) {
                renditions.drop(name);
            }

            @Override
            public Set<String> late() {
                return renditions.list().stream()
                        .filter(RenditionPackaging::isLate)
                        .map(RenditionInfo::name)
                        .collect(Collectors.toUnmodifiableSet());
            }
        };
    }

    private static boolean isLate(RenditionInfo rendition) {
        return rendition.state() == RenditionInfo.State.BEHIND
                || rendition.state() == RenditionInfo.State.FAILED;
    }
}
