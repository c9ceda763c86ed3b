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
import touchline.media.FrameView;

final class FrameConversionTest {
    private static final FrameFormat HD = new FrameFormat(1280, 720, Colour.BT709);

    @Test
    void toJpeg_flatColour_readsBackAsThatColour() throws IOException {
        try (VideoFrame frame = VideoFrame.allocate(HD)) {
            // BT.709, video range: R = 255, G = B = 0.
            TestFrames.flat(frame, 63, 102, 240);
            byte[] file = frame.toJpeg(90);

            assertEquals((byte) 0xFF, file[0]);
            assertEquals((byte) 0xD8, file[1]);
            assertEquals((byte) 0xD9, file[file.length - 1]);
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(file));
            assertEquals(1280, image.getWidth());
            assertEquals(720, image.getHeight());
            assertNear(0xFF0000, image.getRGB(640, 360), 6);
        }
    }

    /** A difference in range alone changes the result. */
    @Test
    void toJpeg_videoRange_becomesFullRange() throws IOException {
        for (Colour colour : new Colour[] {Colour.UNSPECIFIED, Colour.BT601, Colour.BT709}) {
            try (VideoFrame frame = VideoFrame.allocate(new FrameFormat(320, 240, colour))) {
                TestFrames.flat(frame, 16, 128, 128);
                assertNear(0x000000, middle(frame.toJpeg(90)), 3);
                TestFrames.flat(frame, 235, 128, 128);
                assertNear(0xFFFFFF, middle(frame.toJpeg(90)), 3);
            }
        }
        try (VideoFrame full = VideoFrame.allocate(new FrameFormat(320, 240, Colour.JPEG))) {
            TestFrames.flat(full, 16, 128, 128);
            assertNear(0x101010, middle(full.toJpeg(90)), 3);
        }
    }

    private static int middle(byte[] file) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(file)).getRGB(160, 120);
    }

    @Test
    void toJpeg_lowerQuality_isSmaller() {
        try (VideoFrame frame = VideoFrame.allocate(HD)) {
            TestFrames.noise(frame);
            int low = frame.toJpeg(20).length;
            int high = frame.toJpeg(95).length;

            assertTrue(low < high / 2, low + " bytes, " + high + " bytes");
            assertThrows(IllegalArgumentException.class, () -> frame.toJpeg(0));
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
            try (VideoFrame frame = VideoFrame.allocate(HD);
                    RgbScaler scaler = RgbScaler.open(HD, 64, 36, RgbScaler.Layout.PACKED)) {
                TestFrames.flat(frame, colour[0], colour[1], colour[2]);
                byte[] rgb = new byte[scaler.sizeBytes()];
                scaler.scale(frame.view(), MemorySegment.ofArray(rgb));
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
        try (VideoFrame frame = VideoFrame.allocate(HD);
                RgbScaler packed = RgbScaler.open(HD, width, height, RgbScaler.Layout.PACKED);
                RgbScaler planar = RgbScaler.open(HD, width, height, RgbScaler.Layout.PLANAR)) {
            TestFrames.draw(frame, 5);
            byte[] one = new byte[packed.sizeBytes()];
            byte[] other = new byte[planar.sizeBytes()];
            packed.scale(frame.view(), MemorySegment.ofArray(one));
            planar.scale(frame.view(), MemorySegment.ofArray(other));
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
        try (VideoFrame frame = VideoFrame.allocate(HD);
                RgbScaler scaler = RgbScaler.open(HD, 320, 180, RgbScaler.Layout.PACKED)) {
            TestFrames.draw(frame, 9);
            byte[] expected = new byte[scaler.sizeBytes()];
            scaler.scale(frame.view(), MemorySegment.ofArray(expected));
            List<FrameView.Plane> heap =
                    frame.planes().stream().map(FrameConversionTest::onHeap).toList();
            byte[] seen = new byte[scaler.sizeBytes()];
            scaler.scale(new FrameView(1280, 720, 0, heap), MemorySegment.ofArray(seen));

            assertArrayEquals(expected, seen);
        }
    }

    @Test
    void scale_halfSize_keepsFrameAndTime() {
        FrameFormat half = new FrameFormat(640, 360, Colour.BT709);
        try (VideoFrame frame = VideoFrame.allocate(HD);
                VideoFrame small = VideoFrame.allocate(half);
                FrameScaler scaler = FrameScaler.open(HD, half)) {
            TestFrames.draw(frame, 2);
            frame.ptsTicks(123_456);
            scaler.scale(frame.view(), small);

            assertEquals(123_456, small.ptsTicks());
            int expected = TestFrames.sample(frame.planes().getFirst(), 600, 400);
            int seen = TestFrames.sample(small.planes().getFirst(), 300, 200);
            assertEquals(expected, seen, 6);
            assertThrows(IllegalArgumentException.class, () -> scaler.scale(small.view(), small));
        }
    }

    @Test
    void copyOf_view_isEqualAndIndependent() {
        FrameFormat odd = new FrameFormat(321, 199, Colour.BT709);
        try (VideoFrame frame = VideoFrame.allocate(odd)) {
            TestFrames.draw(frame, 4);
            frame.ptsTicks(90_000);
            try (VideoFrame copy = VideoFrame.copyOf(frame.view(), Colour.BT709)) {
                assertEquals(Double.POSITIVE_INFINITY, TestFrames.psnr(frame, copy));
                assertEquals(90_000, copy.ptsTicks());
                TestFrames.draw(frame, 8);
                assertTrue(TestFrames.psnr(frame, copy) < 40);
            }
        }
    }

    private static FrameView.Plane onHeap(FrameView.Plane plane) {
        byte[] bytes = plane.samples().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        return new FrameView.Plane(MemorySegment.ofArray(bytes), plane.strideBytes());
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
