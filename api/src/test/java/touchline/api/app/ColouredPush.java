package touchline.api.app;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A pushed frame of 640x360 at 30 frames a second and a key frame each second, dark green but for
 * rectangles of a demo model's colour between given seconds.
 */
final class ColouredPush {
    static final int WIDTH = 640;
    static final int HEIGHT = 360;

    /** The colour that demo-nude detects. */
    static final String MAGENTA = "0xFF00FF";

    /** The colour that demo-weapon detects. */
    static final String CYAN = "0x00FFFF";

    private final List<String> boxes = new ArrayList<>();

    /** A rectangle in samples, from one second of media time to another. */
    record Rectangle(int x, int y, int width, int height) {}

    ColouredPush with(String colour, Rectangle place, double fromSecond, double toSecond) {
        boxes.add(
                String.format(
                        Locale.ROOT,
                        "drawbox=x=%d:y=%d:w=%d:h=%d:color=%s:t=fill:enable='between(t,%.3f,%.3f)'",
                        place.x(),
                        place.y(),
                        place.width(),
                        place.height(),
                        colour,
                        fromSecond,
                        toSecond));
        return this;
    }

    /** Pushes at the speed of a camera until it is closed. */
    Encoder start(String address) throws IOException {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "info", "-re"));
        command.addAll(
                List.of(
                        "-f",
                        "lavfi",
                        "-i",
                        "color=c=0x204020:size=" + WIDTH + "x" + HEIGHT + ":rate=30",
                        "-vf",
                        String.join(",", filters())));
        command.addAll(
                List.of(
                        "-c:v libx264 -preset ultrafast -tune zerolatency -g 30 -sc_threshold 0 -b:v 1500k -f flv"
                                .split(" ", -1)));
        command.add(address);
        return Encoder.run(command.toArray(String[]::new));
    }

    private List<String> filters() {
        List<String> filters = new ArrayList<>(boxes);
        filters.add("format=yuv420p");
        return filters;
    }
}
