package touchline.packager.thumbnail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.SessionId;
import touchline.media.codec.MalformedMediaException;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;

/** Really encoded frames: the left half dark, the right half bright. */
final class FfmpegThumbnailDecoderTest {
    private static final int DARK = 40;
    private static final int BRIGHT = 210;

    @ParameterizedTest
    @CsvSource({
        "320, 180, 640, 320, 180",
        "1280, 720, 640, 640, 360",
        "16, 16, 640, 16, 16",
        "4096, 2160, 640, 640, 338",
        "640, 360, 16, 16, 10"
    })
    void make_anySize_isAJpegOfIt(
            int width, int height, int maxWidth, int jpegWidth, int jpegHeight) throws IOException {
        Thumbnail made = make(keyFrame(width, height, BRIGHT), maxWidth);

        BufferedImage image = image(made);
        assertEquals(jpegWidth, image.getWidth());
        assertEquals(jpegHeight, image.getHeight());
        assertTrue(grey(image, jpegWidth / 8) < 60, "dark: " + grey(image, jpegWidth / 8));
        assertTrue(grey(image, jpegWidth * 7 / 8) > 190, "bright at the right");
        assertTrue(made.contrast() > 50, "contrast: " + made.contrast());
    }

    @Test
    void make_oneColour_hasNoContrast() {
        Thumbnail made = make(keyFrame(320, 180, DARK), 640);
        assertTrue(made.contrast() <= FirstFrame.FLAT, "contrast: " + made.contrast());
    }

    @Test
    void make_ofRubbish_isMalformed() {
        AccessUnit good = keyFrame(320, 180, BRIGHT);
        byte[] bytes = good.payload().toArray(ValueLayout.JAVA_BYTE);
        for (int kept : new int[] {0, 1, 5}) {
            AccessUnit cut =
                    new AccessUnit(
                            good.track(),
                            0,
                            0,
                            true,
                            MemorySegment.ofArray(java.util.Arrays.copyOf(bytes, kept)));
            assertThrows(MalformedMediaException.class, () -> make(cut, 640));
        }
    }

    private static Thumbnail make(AccessUnit keyFrame, int maxWidth) {
        return new FfmpegThumbnailDecoder(GopDecoders.LOCAL)
                .make(new SessionId("ses_1"), keyFrame, maxWidth)
                .frame();
    }

    private static BufferedImage image(Thumbnail made) throws IOException {
        byte[] file = made.jpeg().toArray(ValueLayout.JAVA_BYTE);
        return ImageIO.read(new ByteArrayInputStream(file));
    }

    private static int grey(BufferedImage image, int x) {
        return image.getRGB(x, image.getHeight() / 2) >> 8 & 0xFF;
    }

    private static AccessUnit keyFrame(int width, int height, int right) {
        FrameFormat format = new FrameFormat(width, height, Colour.BT709);
        VideoSettings settings =
                VideoSettings.live(
                        format, FrameRate.of(30), Ffmpeg.encoders().best().orElseThrow());
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder encoder = VideoEncoder.open(settings);
                VideoFrame frame = VideoFrame.allocate(format)) {
            draw(frame, right);
            units.addAll(encoder.encode(frame, /* forceKeyFrame= */ true));
            units.addAll(encoder.finish());
        }
        return units.getFirst();
    }

    private static void draw(VideoFrame frame, int right) {
        frame.planes().forEach(plane -> plane.samples().fill((byte) 128));
        FrameView.Plane luma = frame.planes().getFirst();
        int width = frame.format().width();
        for (int y = 0; y < frame.format().height(); y++) {
            long row = (long) y * luma.strideBytes();
            luma.samples().asSlice(row, width / 2).fill((byte) DARK);
            luma.samples().asSlice(row + width / 2, width - width / 2).fill((byte) right);
        }
    }
}
