package touchline.api.session;

import java.util.Set;
import java.util.stream.Collectors;
import touchline.media.hub.FeedReader;
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
