package touchline.packager.hls;

import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.packager.isobmff.VideoFormat;

/**
 * The text of a multivariant playlist with one variant. Bit rates are those measured so far (RFC
 * 8216, 4.3.4.2). Immutable, any thread.
 *
 * @param timeline whose tracks are named
 * @param peakBps largest bit rate of a segment
 * @param averageBps of all segments
 * @param measuredFrameRate for configurations that do not tell; 0 where unknown
 * @param independentSegments every segment is known to start with a key frame
 */
record MultivariantPlaylist(
        Timeline timeline,
        long peakBps,
        long averageBps,
        double measuredFrameRate,
        boolean independentSegments) {
    private static final double MAX_PLAUSIBLE_FRAME_RATE = 240;

    /**
     * @param mediaUri of the one media playlist
     */
    String text(String mediaUri) {
        StringBuilder out = new StringBuilder(256);
        out.append("#EXTM3U\n#EXT-X-VERSION:7\n");
        if (independentSegments) {
            out.append("#EXT-X-INDEPENDENT-SEGMENTS\n");
        }
        StringJoiner codecs = new StringJoiner(",", "\"", "\"");
        for (Track track : timeline.tracks()) {
            codecs.add(track.codec().rfc6381());
        }
        out.append("#EXT-X-STREAM-INF:BANDWIDTH=")
                .append(peakBps)
                .append(",AVERAGE-BANDWIDTH=")
                .append(averageBps)
                .append(",CODECS=")
                .append(codecs);
        timeline.video()
                .flatMap(track -> VideoFormat.of(track.codec()))
                .ifPresent(v -> video(out, v));
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
