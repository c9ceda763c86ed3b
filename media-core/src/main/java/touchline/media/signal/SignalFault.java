package touchline.media.signal;

/** A fault that the watch reports, once for each occurrence. Each has an end. */
public enum SignalFault {
    AUDIO_SILENT(
            "audio_silent",
            "all audio channels are below -60 dBFS for 8 s: check the mixer and the encoder's"
                    + " audio source"),
    AUDIO_ONE_SIDED(
            "audio_one_sided",
            "one of the left and right audio channels is 30 dB or more below the other for 8 s:"
                    + " check the cables and the encoder's channel mapping"),
    AUDIO_CLIPPING(
            "audio_clipping",
            "audio samples stay at full scale: lower the level before the encoder by some dB"),
    VIDEO_BLACK(
            "video_black",
            "the video is black for 8 s: check the camera, its cable and the encoder's source"),
    VIDEO_FROZEN(
            "video_frozen",
            "the video has not changed for 8 s: check the camera, its cable and the encoder's"
                    + " source");

    private final String code;
    private final String message;

    SignalFault(String code, String message) {
        this.code = code;
        this.message = message;
    }

    /** The code of its warning. */
    public String code() {
        return code;
    }

    /** What is observed, and what to check. */
    public String message() {
        return message;
    }

    boolean isOfAudio() {
        return code.startsWith("audio");
    }
}
