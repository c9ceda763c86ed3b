package touchline.benchmarks.players;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Frames that a player has shown. Times are seconds since the start of the watch. Immutable.
 *
 * @param count frames that were shown
 * @param widths the width of the first frame, and of each first frame of another width
 * @param breaks frames whose number does not follow that of the frame before by their media times:
 *     shown twice, or left out
 * @param waits times without media, and their durations
 */
record WatchedFrames(int count, List<At> widths, List<At> breaks, List<At> waits) {
    WatchedFrames {
        widths = List.copyOf(widths);
        breaks = List.copyOf(breaks);
        waits = List.copyOf(waits);
    }

    /**
     * @param value samples, frames, or seconds
     */
    record At(double atS, double value) {}

    static WatchedFrames of(JsonNode found) {
        return new WatchedFrames(
                found.path("frames").asInt(),
                list(found.path("widths"), /* scale= */ 1),
                list(found.path("breaks"), /* scale= */ 1),
                list(found.path("waits"), /* scale= */ 1e-3));
    }

    private static List<At> list(JsonNode entries, double scale) {
        List<At> all = new ArrayList<>();
        entries.forEach(
                each ->
                        all.add(
                                new At(
                                        each.path(0).asDouble() / 1e3,
                                        each.path(1).asDouble() * scale)));
        return all;
    }

    /** The smallest width that was shown behind this time; 0 without a frame. */
    double smallestWidth(double fromS) {
        double smallest = 0;
        for (At each : widths) {
            if (each.atS() >= fromS && (smallest == 0 || each.value() < smallest)) {
                smallest = each.value();
            }
        }
        return smallest;
    }

    double lastWidth() {
        return widths.isEmpty() ? 0 : widths.getLast().value();
    }

    double waitedS() {
        return waits.stream().mapToDouble(At::value).sum();
    }
}
