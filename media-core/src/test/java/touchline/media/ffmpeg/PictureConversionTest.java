package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import touchline.media.PictureView;

final class PictureConversionTest {
    private static final PictureFormat HD = new PictureFormat(1280, 720, Colour.BT709);

    @Test
    void toJpeg_flatColour_readsBackAsThatColour() throws IOException {
        try (Picture picture = Picture.allocate(HD)) {
            // BT.709, video range: R = 255, G = B = 0.
            TestPictures.flat(picture, 63, 102, 240);
            byte[] file = picture.toJpeg(90);

            assertEquals((byte) 0xFF, file[0]);
            assertEquals((byte) 0xD8, file[1]);
            assertEquals((byte) 0xD9, file[file.length - 1]);
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(file));
            assertEquals(1280, image.getWidth());
            assertEquals(720, image.getHeight());
            assertNear(0xFF0000, image.getRGB(640, 360), 6);
        }
    }

    /** Where nothing but the range differs, it differs all the same. */
    @Test
    void toJpeg_videoRange_becomesFullRange() throws IOException {
        for (Colour colour : new Colour[] {Colour.UNSPECIFIED, Colour.BT601, Colour.BT709}) {
            try (Picture picture = Picture.allocate(new PictureFormat(320, 240, colour))) {
                TestPictures.flat(picture, 16, 128, 128);
                assertNear(0x000000, middle(picture.toJpeg(90)), 3);
                TestPictures.flat(picture, 235, 128, 128);
                assertNear(0xFFFFFF, middle(picture.toJpeg(90)), 3);
            }
        }
        try (Picture full = Picture.allocate(new PictureFormat(320, 240, Colour.JPEG))) {
            TestPictures.flat(full, 16, 128, 128);
            assertNear(0x101010, middle(full.toJpeg(90)), 3);
        }
    }

    private static int middle(byte[] file) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(file)).getRGB(160, 120);
    }

    @Test
    void toJpeg_lowerQuality_isSmaller() {
        try (Picture picture = Picture.allocate(HD)) {
            TestPictures.noise(picture);
            int low = picture.toJpeg(20).length;
            int high = picture.toJpeg(95).length;

            assertTrue(low < high / 2, low + " bytes, " + high + " bytes");
            assertThrows(IllegalArgumentException.class, () -> picture.toJpeg(0));
        }
    }

    @Test
    void rgb_knownColours_areExactWithinThree() {
        int[][] colours = {
            // Y, U, V in BT.709 video range, and the RGB they stand for.
            {235, 128, 128, 0xFFFFFF},
            {16, 128, 128, 0x000000},
            {63, 102, 240, 0xFF0000},
            {173, 42, 26, 0x00FF00},
            {32, 240, 118, 0x0000FF},
        };
        for (int[] colour : colours) {
            try (Picture picture = Picture.allocate(HD);
                    RgbScaler scaler = RgbScaler.open(HD, 64, 36, RgbScaler.Layout.PACKED)) {
                TestPictures.flat(picture, colour[0], colour[1], colour[2]);
                byte[] rgb = new byte[scaler.sizeBytes()];
                scaler.scale(picture.view(), MemorySegment.ofArray(rgb));
                int at = 3 * (18 * 64 + 32);
                int seen =
                        ((rgb[at] & 0xFF) << 16)
                                | ((rgb[at + 1] & 0xFF) << 8)
                                | (rgb[at + 2] & 0xFF);
                assertNear(colour[3], seen, 3);
            }
        }
    }

    @Test
    void rgb_planar_holdsTheSamePixelsAsPacked() {
        int width = 100;
        int height = 56;
        try (Picture picture = Picture.allocate(HD);
                RgbScaler packed = RgbScaler.open(HD, width, height, RgbScaler.Layout.PACKED);
                RgbScaler planar = RgbScaler.open(HD, width, height, RgbScaler.Layout.PLANAR)) {
            TestPictures.draw(picture, 5);
            byte[] one = new byte[packed.sizeBytes()];
            byte[] other = new byte[planar.sizeBytes()];
            packed.scale(picture.view(), MemorySegment.ofArray(one));
            planar.scale(picture.view(), MemorySegment.ofArray(other));
            int worst = 0;
            for (int pixel = 0; pixel < width * height; pixel++) {
                for (int colour = 0; colour < 3; colour++) {
                    int difference =
                            (one[3 * pixel + colour] & 0xFF)
                                    - (other[colour * width * height + pixel] & 0xFF);
                    worst = Math.max(worst, Math.abs(difference));
                }
            }
            assertTrue(worst <= 8, "worst difference: " + worst);
        }
    }

    @Test
    void rgb_viewOnTheHeap_equalsNativeOne() {
        try (Picture picture = Picture.allocate(HD);
                RgbScaler scaler = RgbScaler.open(HD, 320, 180, RgbScaler.Layout.PACKED)) {
            TestPictures.draw(picture, 9);
            byte[] expected = new byte[scaler.sizeBytes()];
            scaler.scale(picture.view(), MemorySegment.ofArray(expected));
            List<PictureView.Plane> heap =
                    picture.planes().stream().map(PictureConversionTest::onHeap).toList();
            byte[] seen = new byte[scaler.sizeBytes()];
            scaler.scale(new PictureView(1280, 720, 0, heap), MemorySegment.ofArray(seen));

            assertArrayEquals(expected, seen);
        }
    }

    @Test
    void scale_halfSize_keepsPictureAndTime() {
        PictureFormat half = new PictureFormat(640, 360, Colour.BT709);
        try (Picture picture = Picture.allocate(HD);
                Picture small = Picture.allocate(half);
                PictureScaler scaler = PictureScaler.open(HD, half)) {
            TestPictures.draw(picture, 2);
            picture.ptsTicks(123_456);
            scaler.scale(picture.view(), small);

            assertEquals(123_456, small.ptsTicks());
            int expected = TestPictures.sample(picture.planes().getFirst(), 600, 400);
            int seen = TestPictures.sample(small.planes().getFirst(), 300, 200);
            assertEquals(expected, seen, 6);
            assertThrows(IllegalArgumentException.class, () -> scaler.scale(small.view(), small));
        }
    }

    @Test
    void copyOf_view_isEqualAndIndependent() {
        PictureFormat odd = new PictureFormat(321, 199, Colour.BT709);
        try (Picture picture = Picture.allocate(odd)) {
            TestPictures.draw(picture, 4);
            picture.ptsTicks(90_000);
            try (Picture copy = Picture.copyOf(picture.view(), Colour.BT709)) {
                assertEquals(Double.POSITIVE_INFINITY, TestPictures.psnr(picture, copy));
                assertEquals(90_000, copy.ptsTicks());
                TestPictures.draw(picture, 8);
                assertTrue(TestPictures.psnr(picture, copy) < 40);
            }
        }
    }

    private static PictureView.Plane onHeap(PictureView.Plane plane) {
        byte[] bytes = plane.samples().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        return new PictureView.Plane(MemorySegment.ofArray(bytes), plane.strideBytes());
    }

    private static void assertNear(int expected, int seen, int tolerance) {
        for (int shift = 0; shift <= 16; shift += 8) {
            assertEquals(
                    (expected >> shift) & 0xFF,
                    (seen >> shift) & 0xFF,
                    tolerance,
                    () -> "expected %06x, saw %06x".formatted(expected, seen & 0xFFFFFF));
        }
    }
}
