package touchline.media.file;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Properties of a media file. Immutable, any thread.
 *
 * @param container FFmpeg's name of the format, e.g. {@code mov,mp4,m4a,3gp,3g2,mj2}
 * @param durationUs empty if the file does not contain it
 * @param sizeBytes of the file
 * @param streams in the file's order; cover images, subtitles and data are {@link Other}
 */
public record MediaInfo(
        String container, OptionalLong durationUs, long sizeBytes, List<Stream> streams) {
    public MediaInfo {
        streams = List.copyOf(streams);
    }

    public Optional<Video> video() {
        return streams.stream().filter(Video.class::isInstance).map(Video.class::cast).findFirst();
    }

    public Optional<Audio> audio() {
        return streams.stream().filter(Audio.class::isInstance).map(Audio.class::cast).findFirst();
    }

    /** One stream; codecs by FFmpeg's names, e.g. {@code h264}. */
    public sealed interface Stream {
        String codec();

        long bitrateBps();
    }

    /**
     * @param pixelFormat FFmpeg's name, e.g. {@code yuv420p}
     * @param framesPerSecond average; 0 if unknown
     * @param rotationDegrees clockwise rotation for upright display, usually 0, 90, 180 or 270
     * @param bitrateBps 0 where unknown
     */
    public record Video(
            String codec,
            int width,
            int height,
            String pixelFormat,
            double framesPerSecond,
            int rotationDegrees,
            long bitrateBps)
            implements Stream {}

    /**
     * @param bitrateBps 0 where unknown
     */
    public record Audio(String codec, int sampleRateHz, int channels, long bitrateBps)
            implements Stream {}

    /** A stream that is neither video nor audio. */
    public record Other(String codec) implements Stream {
        @Override
        public long bitrateBps() {
            return 0;
        }
    }
}
