package touchline.media.file;

import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameRate;

/**
 * The frames of a file, as far as it decides what has to be done with them. Immutable.
 *
 * @param stream index in the file
 * @param codec FFmpeg's name
 * @param width of a frame as it is coded
 * @param height likewise
 * @param sampleAspect width of a sample by its height, 1 for square ones
 * @param rotationDegrees clockwise, to show it upright: 0, 90, 180 or 270
 * @param transfer how light is coded
 * @param plain 4:2:0 with 8 bits a sample, limited range
 * @param interlaced in fields
 * @param frameRate nominal
 * @param colour as the file tags it
 */
public record SourceVideo(
        int stream,
        String codec,
        int width,
        int height,
        double sampleAspect,
        int rotationDegrees,
        Transfer transfer,
        boolean plain,
        boolean interlaced,
        FrameRate frameRate,
        Colour colour) {

    /** How light is coded, as far as that matters to a screen of today. */
    public enum Transfer {
        SDR,
        /** SMPTE ST 2084. */
        PQ,
        /** ARIB STD-B67. */
        HLG
    }

    public boolean upright() {
        return rotationDegrees == 0;
    }

    public boolean turned() {
        return rotationDegrees == 90 || rotationDegrees == 270;
    }

    public boolean squareSamples() {
        return Math.abs(sampleAspect - 1) < 0.001;
    }

    /** Lines of the frame as it is shown. */
    public int shownHeight() {
        return turned() ? shownCodedWidth() : height;
    }

    /** Columns of the frame as it is shown, in square samples. */
    public int shownWidth() {
        return turned() ? height : shownCodedWidth();
    }

    private int shownCodedWidth() {
        return Math.max(1, (int) Math.round(width * sampleAspect));
    }
}
