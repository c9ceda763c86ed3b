package touchline.packager.delivery;

import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A viewer's request.
 *
 * @param playbackId the first path element, percent-decoded, without {@code .m3u8}
 * @param resource what of it
 * @param mediaSequence number of the segment that is wanted, or whose part is
 * @param token the {@code token} query parameter; never to be logged
 * @param grant the path element behind {@code ~}; never to be logged
 * @param remote the viewer's address
 * @param referrer the Referer header
 */
public record PlaybackRequest(
        String playbackId,
        Resource resource,
        OptionalLong mediaSequence,
        Optional<String> token,
        Optional<String> grant,
        InetAddress remote,
        Optional<String> referrer) {
    /** For anything but a segment. */
    public PlaybackRequest(
            String playbackId,
            Resource resource,
            Optional<String> token,
            Optional<String> grant,
            InetAddress remote,
            Optional<String> referrer) {
        this(playbackId, resource, OptionalLong.empty(), token, grant, remote, referrer);
    }

    /** Kind of the requested resource. */
    public enum Resource {
        /** {@code /{playback_id}.m3u8}. */
        MULTIVARIANT,
        /** Playlists, init segments, segments and parts below it. */
        MEDIA,
        /** {@code /{playback_id}/capped-1080p.mp4}. */
        MP4,
        /** {@code /{playback_id}/thumbnail.jpg}. */
        THUMBNAIL,
        /** {@code /{playback_id}/chapters.vtt}. */
        CHAPTERS
    }

    @Override
    public String toString() {
        return "PlaybackRequest[playbackId="
                + playbackId
                + ", resource="
                + resource
                + ", token and grant masked]";
    }
}
