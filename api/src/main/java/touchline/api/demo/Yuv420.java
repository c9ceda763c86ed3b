package touchline.api.demo;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import touchline.media.FrameView;

/**
 * Converts an image to YUV 4:2:0 in video range (Rec. ITU-R BT.709-6, 3 and 4). Chroma is the mean
 * of four pixels. One thread.
 */
final class Yuv420 {
    private final int width;
    private final int height;
    private final byte[] lumaRow;
    private final byte[] lowerLumaRow;
    private final byte[] uRow;
    private final byte[] vRow;

    /** Both sides even. */
    Yuv420(int width, int height) {
        this.width = width;
        this.height = height;
        this.lumaRow = new byte[width];
        this.lowerLumaRow = new byte[width];
        this.uRow = new byte[width / 2];
        this.vRow = new byte[width / 2];
    }

    /**
     * @param rgb of type {@link BufferedImage#TYPE_INT_RGB}, of this size
     */
    void copy(BufferedImage rgb, FrameView to) {
        int[] pixels = ((DataBufferInt) rgb.getRaster().getDataBuffer()).getData();
        for (int row = 0; row < height; row += 2) {
            convertRows(pixels, row * width);
            put(lumaRow, to.planes().get(0), row);
            put(lowerLumaRow, to.planes().get(0), row + 1);
            put(uRow, to.planes().get(1), row / 2);
            put(vRow, to.planes().get(2), row / 2);
        }
    }

    private void convertRows(int[] pixels, int start) {
        for (int x = 0; x < width; x += 2) {
            int upperLeft = pixels[start + x];
            int upperRight = pixels[start + x + 1];
            int lowerLeft = pixels[start + width + x];
            int lowerRight = pixels[start + width + x + 1];
            lumaRow[x] = luma(upperLeft);
            lumaRow[x + 1] = luma(upperRight);
            lowerLumaRow[x] = luma(lowerLeft);
            lowerLumaRow[x + 1] = luma(lowerRight);
            int red = red(upperLeft) + red(upperRight) + red(lowerLeft) + red(lowerRight);
            int green = green(upperLeft) + green(upperRight) + green(lowerLeft) + green(lowerRight);
            int blue = blue(upperLeft) + blue(upperRight) + blue(lowerLeft) + blue(lowerRight);
            // Of four pixels, in 1/256: 128 * 1024, and 512 to round.
            uRow[x / 2] = (byte) ((-26 * red - 86 * green + 112 * blue + 131_584) >> 10);
            vRow[x / 2] = (byte) ((112 * red - 102 * green - 10 * blue + 131_584) >> 10);
        }
    }

    /** 16 to 235; weights in 1/256. */
    private static byte luma(int rgb) {
        return (byte) ((47 * red(rgb) + 157 * green(rgb) + 16 * blue(rgb) + 4_224) >> 8);
    }

    private static int red(int rgb) {
        return rgb >> 16 & 0xFF;
    }

    private static int green(int rgb) {
        return rgb >> 8 & 0xFF;
    }

    private static int blue(int rgb) {
        return rgb & 0xFF;
    }

    private static void put(byte[] samples, FrameView.Plane plane, int row) {
        long at = (long) row * plane.strideBytes();
        MemorySegment.copy(samples, 0, plane.samples(), ValueLayout.JAVA_BYTE, at, samples.length);
    }
}
