package touchline.media.ffmpeg;

import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.codec.VideoSequence;

/**
 * Reads the headers of a track before a decoder gets them, and takes the decoder's memory out of
 * {@link DecoderMemory}. The decoder's owner calls and closes it; one thread.
 */
public final class DecoderAdmission implements AutoCloseable {
    private final CodecConfig codec;
    private final int threads;
    private final DecoderMemory.Share memory = new DecoderMemory.Share();

    private DecoderAdmission(CodecConfig codec, int threads) {
        this.codec = codec;
        this.threads = threads;
    }

    /**
     * @param threads of the decoder
     * @throws touchline.media.codec.DecodingRefusedException the frames are too large, or the
     *     memory for decoders is used up
     * @throws touchline.media.codec.MalformedMediaException the track's configuration is invalid
     */
    public static DecoderAdmission of(Track track, int threads) {
        DecoderAdmission admission = new DecoderAdmission(track.codec(), threads);
        try {
            track.codec().sequences().forEach(admission::admit);
            return admission;
        } catch (RuntimeException e) {
            admission.close();
            throw e;
        }
    }

    /**
     * Reads the headers inside an access unit.
     *
     * @throws touchline.media.codec.MalformedMediaException as {@link #of}
     */
    public void admit(AccessUnit unit) {
        SequenceHeaders.inside(codec, unit.payload()).forEach(this::admit);
    }

    private void admit(VideoSequence sequence) {
        sequence.requireDecodable();
        memory.require(DecoderMemory.bytes(sequence, threads));
    }

    /** Returns what the decoder may hold, in bytes. */
    public long bytes() {
        return memory.bytes();
    }

    /** Idempotent. */
    @Override
    public void close() {
        memory.close();
    }
}
