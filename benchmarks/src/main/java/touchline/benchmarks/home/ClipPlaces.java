package touchline.benchmarks.home;

import java.util.ArrayList;
import java.util.List;

/**
 * Where clips of a recording are cut, so that no two of them need the same file of segments. A clip
 * reads up to 30 s of media on both sides, and a file has 16 MiB: about 50 s of the camera.
 */
final class ClipPlaces {
    private static final int APART_SECONDS = 240;

    /** Rest of the recording behind the last clip. */
    private static final int REST_SECONDS = 2;

    private static final int GOP_SECONDS = 2;

    /** Distance from a key frame, so that both ends of a clip have to be encoded. */
    private static final double OFF_KEY_SECONDS = 0.7;

    private ClipPlaces() {}

    /**
     * The starts, evenly spread.
     *
     * @param recordedSeconds at least one clip and two seconds
     * @param most fewer in a short recording, but one at least
     */
    static List<Double> of(int recordedSeconds, int clipSeconds, int most) {
        double latest = recordedSeconds - clipSeconds - REST_SECONDS;
        int count = Math.clamp((int) (latest / APART_SECONDS), 1, most);
        List<Double> starts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double start = latest * (i + 0.5) / count;
            starts.add(Math.floor(start / GOP_SECONDS) * GOP_SECONDS + OFF_KEY_SECONDS);
        }
        return starts;
    }
}
