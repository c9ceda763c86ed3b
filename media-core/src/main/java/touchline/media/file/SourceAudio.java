package touchline.media.file;

/**
 * The audio of a file, as far as it decides what has to be done with it. Immutable.
 *
 * @param stream index in the file
 * @param codec FFmpeg's name
 * @param lowComplexity AAC-LC, with its configuration outside the frames
 */
public record SourceAudio(
        int stream, String codec, boolean lowComplexity, int sampleRateHz, int channels) {}
