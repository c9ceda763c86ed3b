package touchline.benchmarks.assets;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import touchline.benchmarks.load.Command;

/** Decoded frames, small and grey, to find a frame among its neighbours. */
public final class SmallFrames {
    private static final int WIDTH = 64;
    private static final int HEIGHT = 36;
    private static final double EARLY_SECONDS = 3;

    private final List<byte[]> frames;

    private SmallFrames(List<byte[]> frames) {
        this.frames = frames;
    }

    /** How many there are. */
    public int count() {
        return frames.size();
    }

    /** In the order of presentation, from 0. */
    public byte[] at(int index) {
        return frames.get(index);
    }

    byte[] first() {
        return frames.getFirst();
    }

    byte[] last() {
        return frames.getLast();
    }

    /** Decodes all frames. */
    public static SmallFrames of(String address) throws IOException, InterruptedException {
        return read(List.of("-i", address));
    }

    /**
     * Decodes a range. The search in the file is for a time well before it: ffmpeg searches by
     * decode time, and would begin with a key frame that is shown behind the range's first frame.
     */
    public static SmallFrames of(String address, double fromSeconds, double seconds)
            throws IOException, InterruptedException {
        double early = Math.min(fromSeconds, EARLY_SECONDS);
        return read(
                List.of(
                        "-ss",
                        "" + (fromSeconds - early),
                        "-i",
                        address,
                        "-ss",
                        "" + early,
                        "-t",
                        "" + seconds));
    }

    private static SmallFrames read(List<String> input) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error"));
        command.addAll(input);
        command.addAll(
                Command.words(
                        "-an -vsync passthrough -vf scale=%d:%d:flags=area,format=gray -f rawvideo"
                                + " pipe:1",
                        WIDTH, HEIGHT));
        byte[] output = Command.require(command).output();
        List<byte[]> frames = new ArrayList<>();
        for (int at = 0; at + WIDTH * HEIGHT <= output.length; at += WIDTH * HEIGHT) {
            frames.add(Arrays.copyOfRange(output, at, at + WIDTH * HEIGHT));
        }
        return new SmallFrames(frames);
    }

    /** Index of the most similar frame. */
    public int mostLike(byte[] other) {
        int best = -1;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < frames.size(); i++) {
            long difference = 0;
            for (int at = 0; at < other.length; at++) {
                difference += Math.abs((frames.get(i)[at] & 0xFF) - (other[at] & 0xFF));
            }
            if (difference < least) {
                least = difference;
                best = i;
            }
        }
        return best;
    }
}
