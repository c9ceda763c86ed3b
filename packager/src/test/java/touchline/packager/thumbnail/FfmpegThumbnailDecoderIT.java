package touchline.packager.thumbnail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.decoding.GopDecoders;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.InitReader;

/** Key frames of codecs that other encoders send: made by the ffmpeg command line. */
final class FfmpegThumbnailDecoderIT {
    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "libx265 -x265-params log-level=error -tag:v hvc1 -pix_fmt yuv420p",
                "libx265 -x265-params log-level=error -tag:v hvc1 -pix_fmt yuv420p10le",
                "libaom-av1 -cpu-used 8 -pix_fmt yuv420p",
                "libx264 -pix_fmt yuv422p",
                "libx264 -pix_fmt yuv420p -flags +ildct+ilme"
            })
    void make_ofAnyCodec_isItsFrame(String codec) throws Exception {
        byte[] file = encoded(codec);
        AccessUnit keyFrame = keyFrame(file);

        Thumbnail made = make(keyFrame, 320);

        byte[] jpeg = made.jpeg().toArray(ValueLayout.JAVA_BYTE);
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(jpeg));
        assertEquals("320x180", image.getWidth() + "x" + image.getHeight());
        // The colour bars' upper part: grey at the left, blue at the right.
        assertTrue(
                spread(image.getRGB(10, 40)) < 24,
                "grey: " + Integer.toHexString(image.getRGB(10, 40)));
        int blue = image.getRGB(310, 40);
        assertTrue((blue & 0xFF) > 120 && (blue >> 16 & 0xFF) < 60, Integer.toHexString(blue));
    }

    private static Thumbnail make(AccessUnit keyFrame, int maxWidth) {
        return new FfmpegThumbnailDecoder(GopDecoders.LOCAL)
                .make(new SessionId("ses_1"), keyFrame, maxWidth)
                .frame();
    }

    private static int spread(int rgb) {
        int red = rgb >> 16 & 0xFF;
        int green = rgb >> 8 & 0xFF;
        int blue = rgb & 0xFF;
        return Math.max(red, Math.max(green, blue)) - Math.min(red, Math.min(green, blue));
    }

    /** One frame as an MP4 file. */
    private byte[] encoded(String codec) throws Exception {
        Path file = folder.resolve("one.mp4");
        Process process =
                new ProcessBuilder(
                                ("ffmpeg -v error -f lavfi -i smptebars=size=640x360:rate=10"
                                                + " -frames:v 1 -c:v "
                                                + codec
                                                + " "
                                                + file)
                                        .split(" "))
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue(), Files.readString(folder.resolve("log")));
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllBytes(file);
    }

    private static AccessUnit keyFrame(byte[] file) {
        MemorySegment bytes = MemorySegment.ofArray(file);
        MemorySegment media =
                BoxReader.first(BoxReader.walk(bytes), "mdat").orElseThrow().payload();
        return new AccessUnit(
                InitReader.read(bytes).tracks().getFirst().track(), 0, 0, /* idr= */ true, media);
    }
}
