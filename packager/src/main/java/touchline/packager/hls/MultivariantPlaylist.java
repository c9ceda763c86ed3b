package touchline.packager.hls;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import touchline.media.CodecConfig;
import touchline.packager.isobmff.VideoFormat;

/**
 * The text of a multivariant playlist with one variant. Bit rates are those measured so far (RFC
 * 8216, 4.3.4.2). Immutable, any thread.
 *
 * @param tracks what decodes them, frames first
 * @param peakBps largest bit rate of a segment
 * @param averageBps of all segments
 * @param measuredFrameRate for configurations without a frame rate; 0 if unknown
 * @param independentSegments every segment is known to start with a key frame
 * @param captions inside the video
 */
record MultivariantPlaylist(
        List<CodecConfig> tracks,
        long peakBps,
        long averageBps,
        double measuredFrameRate,
        boolean independentSegments,
        Captions captions) {
    private static final double MAX_PLAUSIBLE_FRAME_RATE = 240;

    MultivariantPlaylist {
        tracks = List.copyOf(tracks);
    }

    /**
     * @param mediaUri of the one media playlist
     */
    String text(String mediaUri) {
        StringBuilder out = new StringBuilder(256);
        out.append("#EXTM3U\n#EXT-X-VERSION:7\n");
        if (independentSegments) {
            out.append("#EXT-X-INDEPENDENT-SEGMENTS\n");
        }
        out.append(captions.rendition());
        StringJoiner codecs = new StringJoiner(",", "\"", "\"");
        for (CodecConfig track : tracks) {
            codecs.add(track.rfc6381());
        }
        out.append("#EXT-X-STREAM-INF:BANDWIDTH=")
                .append(peakBps)
                .append(",AVERAGE-BANDWIDTH=")
                .append(averageBps)
                .append(",CODECS=")
                .append(codecs);
        tracks.stream()
                .flatMap(track -> VideoFormat.of(track).stream())
                .findFirst()
                .ifPresent(v -> video(out, v));
        out.append(captions.attribute());
        return out.append('\n').append(mediaUri).append('\n').toString();
    }

    private void video(StringBuilder out, VideoFormat format) {
        out.append(",RESOLUTION=").append(format.width()).append('x').append(format.height());
        frameRate(format)
                .ifPresent(
                        rate ->
                                out.append(",FRAME-RATE=")
                                        .append(String.format(Locale.ROOT, "%.3f", rate)));
    }

    private Optional<Double> frameRate(VideoFormat format) {
        double rate = format.frameRate() > 0 ? format.frameRate() : measuredFrameRate;
        return rate > 0 && rate <= MAX_PLAUSIBLE_FRAME_RATE ? Optional.of(rate) : Optional.empty();
    }
}
