package touchline.benchmarks.failover;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.Command;

/** The frames of a recording, read by ffmpeg: numbers, encoders and times. Immutable. */
record RecordedFrames(List<Frame> frames) {
    private static final int BITS = 16;
    private static final int ROW_BYTES = Encoders.CELLS;
    private static final int FRAME_BYTES = 2 * ROW_BYTES;

    RecordedFrames {
        frames = List.copyOf(frames);
    }

    /**
     * @param number counted by the match
     * @param second made by the second encoder
     */
    record Frame(int number, boolean second, double seconds) {}

    /**
     * A change of the encoder.
     *
     * @param seconds time of the first frame of the new one
     * @param left out frames; negative: shown again
     * @param number of the first frame
     */
    record Splice(double seconds, boolean toSecond, int left, int number) {}

    static RecordedFrames of(URI mp4) throws IOException, InterruptedException {
        byte[] cells =
                Command.require(
                                Command.words(
                                        "ffmpeg -v error -i %s -map 0:v -vsync passthrough -vf"
                                                + " crop=320:16:0:0,scale=%d:2:flags=area,format=gray"
                                                + " -f rawvideo pipe:",
                                        mp4, Encoders.CELLS))
                        .output();
        List<Double> times = new ArrayList<>();
        Command.require(
                        Command.words(
                                "ffprobe -v error -select_streams v -show_entries packet=pts_time"
                                        + " -of csv=p=0 %s",
                                mp4))
                .text()
                .lines()
                .map(line -> line.replace(",", "").strip())
                .filter(line -> !line.isEmpty())
                .mapToDouble(Double::parseDouble)
                .sorted()
                .forEach(times::add);
        if (cells.length != times.size() * FRAME_BYTES) {
            throw new IOException(
                    "%s: %d decoded frames (expected: %d)"
                            .formatted(mp4, cells.length / FRAME_BYTES, times.size()));
        }
        List<Frame> frames = new ArrayList<>(times.size());
        for (int i = 0; i < times.size(); i++) {
            frames.add(frame(cells, i * FRAME_BYTES + ROW_BYTES, times.get(i)));
        }
        return new RecordedFrames(frames);
    }

    private static Frame frame(byte[] cells, int row, double seconds) {
        int number = 0;
        for (int bit = 0; bit < BITS; bit++) {
            number |= isWhite(cells, row + bit) ? 1 << bit : 0;
        }
        return new Frame(number, isWhite(cells, row + Encoders.ENCODER_CELL), seconds);
    }

    private static boolean isWhite(byte[] cells, int at) {
        return (cells[at] & 0xFF) > 128;
    }

    List<Splice> splices() {
        List<Splice> found = new ArrayList<>();
        for (int i = 1; i < frames.size(); i++) {
            Frame before = frames.get(i - 1);
            Frame frame = frames.get(i);
            if (before.second() != frame.second()) {
                int left = frame.number() - before.number() - 1;
                found.add(new Splice(frame.seconds(), frame.second(), left, frame.number()));
            }
        }
        return found;
    }

    /** Frames left out or shown again where the encoder stays the same. */
    int breaksWithinEncoders() {
        int breaks = 0;
        for (int i = 1; i < frames.size(); i++) {
            Frame before = frames.get(i - 1);
            Frame frame = frames.get(i);
            boolean follows = frame.number() == before.number() + 1;
            breaks += before.second() == frame.second() && !follows ? 1 : 0;
        }
        return breaks;
    }
}
