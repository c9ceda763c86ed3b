package touchline.api.demo;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import touchline.media.FrameView;

/** Shares of a frame in the colours of the demo models: two planes at least 180, one at most 80. */
final class DemoColours {
    private static final int BRIGHT = 180;
    private static final int DARK = 80;

    private DemoColours() {}

    static double cyanShare(FrameView frame) {
        return share(frame, (red, green, blue) -> red <= DARK && green >= BRIGHT && blue >= BRIGHT);
    }

    static double magentaShare(FrameView frame) {
        return share(frame, (red, green, blue) -> green <= DARK && red >= BRIGHT && blue >= BRIGHT);
    }

    private interface Rule {
        boolean matches(double red, double green, double blue);
    }

    /** One pixel of four is looked at. */
    private static double share(FrameView frame, Rule rule) {
        byte[] lumas = new byte[frame.width()];
        byte[] us = new byte[frame.width() / 2];
        byte[] vs = new byte[frame.width() / 2];
        int matches = 0;
        for (int y = 0; y < frame.height() / 2; y++) {
            copyRow(frame.planes().get(0), 2 * y, lumas);
            copyRow(frame.planes().get(1), y, us);
            copyRow(frame.planes().get(2), y, vs);
            for (int x = 0; x < us.length; x++) {
                double luma = ((lumas[2 * x] & 0xFF) - 16) * 255.0 / 219;
                double u = ((us[x] & 0xFF) - 128) * 255.0 / 224;
                double v = ((vs[x] & 0xFF) - 128) * 255.0 / 224;
                double red = luma + 1.5748 * v;
                double green = luma - 0.1873 * u - 0.4681 * v;
                double blue = luma + 1.8556 * u;
                matches += rule.matches(red, green, blue) ? 1 : 0;
            }
        }
        return 4.0 * matches / (frame.width() * frame.height());
    }

    /** Test JVMs read an array many times faster than native memory. */
    private static void copyRow(FrameView.Plane plane, int y, byte[] to) {
        long at = (long) y * plane.strideBytes();
        MemorySegment.copy(plane.samples(), ValueLayout.JAVA_BYTE, at, to, 0, to.length);
    }
}
