package touchline.media.file;

/**
 * Audio properties of a file that determine its processing. Immutable.
 *
 * @param stream index in the file
 * @param codec FFmpeg's name
 * @param lowComplexity AAC-LC, with its configuration outside the frames
 */
public record SourceAudio(
        int stream, String codec, boolean lowComplexity, int sampleRateHz, int channels) {}
