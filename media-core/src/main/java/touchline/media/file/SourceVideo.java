package touchline.media.file;

import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameRate;

/**
 * Video properties of a file that determine its processing. Immutable.
 *
 * @param stream index in the file
 * @param codec FFmpeg's name
 * @param width coded width of a frame
 * @param height coded height of a frame
 * @param sampleAspect width / height of a sample, 1 for square samples
 * @param rotationDegrees clockwise rotation for upright display: 0, 90, 180 or 270
 * @param transfer transfer characteristics
 * @param plain 4:2:0 with 8 bits per sample, limited range
 * @param interlaced whether frames consist of two fields
 * @param frameRate nominal
 * @param colour as tagged in the file
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

    /** Transfer characteristics: SDR or one of the two HDR systems. */
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

    /** Returns the displayed height in lines. */
    public int shownHeight() {
        return turned() ? shownCodedWidth() : height;
    }

    /** Returns the displayed width in square samples. */
    public int shownWidth() {
        return turned() ? height : shownCodedWidth();
    }

    private int shownCodedWidth() {
        return Math.max(1, (int) Math.round(width * sampleAspect));
    }
}
