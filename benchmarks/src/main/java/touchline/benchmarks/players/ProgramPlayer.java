package touchline.benchmarks.players;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import touchline.benchmarks.load.Command;

/**
 * ffmpeg or GStreamer: decodes the video and writes each frame as 20x45 grey pixels to a pipe, from
 * which the frame's number is read.
 */
final class ProgramPlayer implements RunningPlayer {
    private static final int WIDTH = 20;
    private static final int HEIGHT = 45;

    /** The cells are the upper four rows. */
    private static final int ROW = 1;

    private static final int BITS = 16;
    private static final int WHITE = 128;

    private final String name;
    private final Process process;
    private final Path log;
    private final FramePace pace;
    private final Thread reader;

    private ProgramPlayer(String name, Process process, Path log, FramePace pace) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.pace = pace;
        this.reader = Thread.ofPlatform().name("bench-" + name).unstarted(this::read);
    }

    /**
     * Starts the program; the caller closes it.
     *
     * @param startMs push of frame 0, by the wall clock
     */
    static ProgramPlayer start(PlayerKind kind, URI address, double startMs) throws IOException {
        List<String> command = kind == PlayerKind.FFMPEG ? ffmpeg(address) : gstreamer(address);
        Path log = Files.createTempFile("touchline-bench", ".log");
        FramePace pace = new FramePace(System.currentTimeMillis(), startMs);
        Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        process.getOutputStream().close();
        ProgramPlayer player = new ProgramPlayer(kind.argument(), process, log, pace);
        player.reader.start();
        return player;
    }

    private static List<String> ffmpeg(URI address) {
        return Command.words(
                "ffmpeg -v error -i %s -map 0:v:0 -vf scale=%d:%d:flags=area,format=gray"
                        + " -fps_mode passthrough -f rawvideo -",
                address, WIDTH, HEIGHT);
    }

    /** Its sinks show each frame at its time, as a player does. */
    private static List<String> gstreamer(URI address) {
        return Command.words(
                "gst-launch-1.0 -q uridecodebin3 name=d uri=%s d. ! video/x-raw ! videoconvert"
                        + " ! videoscale method=4-tap ! video/x-raw,format=GRAY8,width=%d,height=%d"
                        + " ! fdsink fd=1 sync=true d. ! audio/x-raw ! fakesink sync=true",
                address, WIDTH, HEIGHT);
    }

    private void read() {
        byte[] frame = new byte[WIDTH * HEIGHT];
        try (DataInputStream in = new DataInputStream(process.getInputStream())) {
            while (true) {
                in.readFully(frame);
                pace.frame(number(frame), System.currentTimeMillis());
            }
        } catch (EOFException _) {
            // The program has ended.
        } catch (IOException _) {
            // It was closed.
        }
    }

    private static int number(byte[] frame) {
        int number = 0;
        for (int bit = 0; bit < BITS; bit++) {
            number |= (frame[ROW * WIDTH + bit] & 0xFF) > WHITE ? 1 << bit : 0;
        }
        return number;
    }

    /** Not supported: a program plays from where it starts. */
    @Override
    public void rewind(int second) {}

    @Override
    public void encoderIsBack(double startMs) {
        pace.encoderIsBack(startMs);
    }

    @Override
    public PlayerResult result() throws IOException {
        return pace.result(name, Files.readAllLines(log));
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor();
        reader.join();
        Files.deleteIfExists(log);
    }
}
