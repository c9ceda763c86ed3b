package touchline.media.ffmpeg;

/** What a GPU does for the video of a session, if there is one. */
public enum GpuUse {
    NONE,
    /** It decodes; frames are copied to main memory. */
    DECODING,
    /** It decodes, and frames stay in its memory, where it can scale them. */
    FRAMES
}
