package touchline.benchmarks.assets;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Decoded frames, small and grey: enough to tell one from its neighbours. */
final class SmallFrames {
    private static final int WIDTH = 64;
    private static final int HEIGHT = 36;

    private final List<byte[]> frames;

    private SmallFrames(List<byte[]> frames) {
        this.frames = frames;
    }

    byte[] first() {
        return frames.getFirst();
    }

    byte[] last() {
        return frames.getLast();
    }

    /** Everything that an address shows. */
    static SmallFrames of(String address) throws IOException, InterruptedException {
        return read(List.of("-i", address));
    }

    /** What it shows from a time on. */
    static SmallFrames of(String address, double fromSeconds, double seconds)
            throws IOException, InterruptedException {
        return read(List.of("-ss", "" + fromSeconds, "-i", address, "-t", "" + seconds));
    }

    private static SmallFrames read(List<String> input) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error"));
        command.addAll(input);
        command.addAll(
                List.of(
                        "-an",
                        "-vsync",
                        "passthrough",
                        "-vf",
                        "scale=" + WIDTH + ":" + HEIGHT + ":flags=area,format=gray",
                        "-f",
                        "rawvideo",
                        "pipe:1"));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process.getOutputStream().close();
        List<byte[]> frames = new ArrayList<>();
        byte[] frame = process.getInputStream().readNBytes(WIDTH * HEIGHT);
        while (frame.length == WIDTH * HEIGHT) {
            frames.add(frame);
            frame = process.getInputStream().readNBytes(WIDTH * HEIGHT);
        }
        if (process.waitFor() != 0) {
            throw new IOException("ffmpeg exited with " + process.exitValue());
        }
        return new SmallFrames(frames);
    }

    /** Index of the frame that is most like another one. */
    int mostLike(byte[] other) {
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
