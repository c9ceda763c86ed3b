package touchline.packager.hls;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.CodecConfig;
import touchline.packager.isobmff.VideoFormat;

/**
 * A rendition as it is now. Immutable.
 *
 * @param name the element of its addresses, e.g. {@code 480p}
 * @param width in pixels; 0 before its first media
 * @param height in pixels; 0 before its first media
 * @param codecs as in CODECS (RFC 6381), with the audio once it is running; empty before its first
 *     media
 * @param averageBps average bit rate of its segments, with the audio; 0 before the first
 * @param peakBps largest bit rate of one of its segments
 * @param state what becomes of it
 */
public record RenditionInfo(
        String name,
        int width,
        int height,
        String codecs,
        long averageBps,
        long peakBps,
        State state) {
    /** Progress of a rendition. */
    public enum State {
        /** Viewers do not see it yet: its first segment is not complete. */
        STARTING,
        /** Viewers see it. */
        RUNNING,
        /** Viewers see it, but its units come too late. */
        BEHIND,
        /** Its units do not belong to the source's, or came far too late: viewers get 404. */
        FAILED
    }

    /**
     * @param codec of its video; null before its first media
     */
    static RenditionInfo of(String name, @Nullable CodecConfig codec, State state) {
        VideoFormat format =
                Optional.ofNullable(codec)
                        .flatMap(VideoFormat::of)
                        .orElse(new VideoFormat(0, 0, 0));
        String codecs = codec == null ? "" : codec.rfc6381();
        return new RenditionInfo(name, format.width(), format.height(), codecs, 0, 0, state);
    }

    static RenditionInfo of(String name, MultivariantPlaylist media, State state) {
        VideoFormat format = media.format().orElse(new VideoFormat(0, 0, 0));
        return new RenditionInfo(
                name,
                format.width(),
                format.height(),
                media.codecs(),
                media.averageBps(),
                media.peakBps(),
                state);
    }

    /** In the multivariant playlist. */
    public boolean running() {
        return state == State.RUNNING || state == State.BEHIND;
    }
}
