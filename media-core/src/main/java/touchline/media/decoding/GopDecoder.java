package touchline.media.decoding;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import touchline.media.AccessUnit;
import touchline.media.ffmpeg.VideoFrame;

/**
 * Decodes GOPs of one track and returns single frames of them, which the caller closes. Units come
 * in decode order. After an exception the caller closes the decoder. One owner thread, a platform
 * thread.
 *
 * <p>Every method throws {@link touchline.media.codec.MalformedMediaException} for invalid media,
 * {@link touchline.media.codec.DecodingRefusedException} for media that demands too much, and
 * {@link DecodingFailedException} where decoding is not possible for another reason.
 */
public interface GopDecoder extends AutoCloseable {
    /**
     * The frame that is looked for: the first one from a time on.
     *
     * @param fromUs presentation time
     * @param exceptUs this time does not count
     */
    record Wanted(long fromUs, OptionalLong exceptUs) {
        boolean matches(long ptsUs) {
            return ptsUs >= fromUs && (exceptUs.isEmpty() || exceptUs.getAsLong() != ptsUs);
        }
    }

    /**
     * @param used units that were decoded
     * @param frame the wanted one; empty if none of the units has it
     */
    record Found(int used, Optional<VideoFrame> frame) {}

    /** Decodes a key frame alone. The next unit starts a GOP. */
    Optional<VideoFrame> keyFrame(AccessUnit unit);

    /** Drops the GOP; the next unit starts one. */
    void flush();

    /** Continues the GOP up to the wanted frame, without frames before it that no other needs. */
    Found first(List<AccessUnit> units, Wanted wanted);

    /** Ends the GOP and returns the wanted frame, if decoding has not returned it yet. */
    Optional<VideoFrame> rest(Wanted wanted);

    /** Ends the GOP and returns its last frame in presentation order, of these units and later. */
    Optional<VideoFrame> last(List<AccessUnit> units);

    /** Returns the processor time spent outside of the calling thread, in all. */
    long remoteCpuNs();

    @Override
    void close();
}
