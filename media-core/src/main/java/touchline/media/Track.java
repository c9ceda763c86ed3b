package touchline.media;

/**
 * One track of a timeline. Immutable, any thread; compared by value.
 *
 * @param id 1 for video, 2 for audio; the track_ID of ISO/IEC 14496-12, 8.3.2.3
 * @param timescale unit of the access units' timestamps
 * @param codec the decoder configuration; a changed one is a new track
 */
public record Track(int id, Timescale timescale, CodecConfig codec) {
    /** Track id of video. */
    public static final int VIDEO_ID = 1;

    /** Track id of audio. */
    public static final int AUDIO_ID = 2;

    public Track {
        if (id <= 0) {
            throw new IllegalArgumentException("track id: " + id + " (> 0)");
        }
    }

    public boolean isVideo() {
        return codec.isVideo();
    }
}
