package touchline.media.transcode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Durations of the segments of a media playlist, in seconds. Immutable.
 *
 * <p>Source: draft-pantos-hls-rfc8216bis-20, 4.4.4.1.
 */
record SegmentTimes(List<Double> durationsS) {
    private static final String DURATION = "#EXTINF:";

    /** Playlists have microseconds. */
    private static final double ROUNDING_S = 0.000_002;

    /** The last frame of a file often has another duration than those before it. */
    private static final double LAST_S = 0.1;

    SegmentTimes {
        durationsS = List.copyOf(durationsS);
    }

    static SegmentTimes of(Path playlist) throws IOException {
        List<Double> durationsS = new ArrayList<>();
        for (String line : Files.readAllLines(playlist)) {
            if (line.startsWith(DURATION)) {
                durationsS.add(
                        Double.valueOf(line.substring(DURATION.length(), line.indexOf(','))));
            }
        }
        return new SegmentTimes(durationsS);
    }

    /**
     * @throws CopyUnsuitableException the other segments begin at other times
     */
    void requireSame(SegmentTimes other) {
        boolean same = durationsS.size() == other.durationsS.size();
        for (int i = 0; same && i < durationsS.size(); i++) {
            double off = Math.abs(durationsS.get(i) - other.durationsS.get(i));
            same = off <= (i == durationsS.size() - 1 ? LAST_S : ROUNDING_S);
        }
        if (!same) {
            throw new CopyUnsuitableException(
                    "key frames that cannot be repeated: segments of %s and %s s"
                            .formatted(durationsS, other.durationsS));
        }
    }
}
