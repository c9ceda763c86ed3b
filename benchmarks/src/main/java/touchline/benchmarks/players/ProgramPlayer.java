package touchline.benchmarks.players;

import java.io.EOFException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A program of the host that plays, and writes each shown frame to a pipe. */
final class ProgramPlayer implements RunningPlayer {
    private final PlayerKind kind;
    private final URI address;
    private final double startMs;
    private final Path log = Files.createTempFile("touchline-bench", ".log");
    private @Nullable Running running;

    private record Running(Process process, FramePace pace, Thread reader) {}

    /**
     * @param startMs push of frame 0, by the wall clock
     */
    ProgramPlayer(PlayerKind kind, URI address, double startMs) throws IOException {
        this.kind = kind;
        this.address = address;
        this.startMs = startMs;
    }

    /** Starts the program. */
    @Override
    public void begin() throws IOException {
        FramePace pace = new FramePace((double) System.currentTimeMillis(), startMs);
        Process process =
                new ProcessBuilder(PlayerProgram.command(kind, address, log))
                        .redirectError(
                                kind == PlayerKind.MPV
                                        ? Redirect.DISCARD
                                        : Redirect.to(log.toFile()))
                        .start();
        process.getOutputStream().close();
        running =
                new Running(
                        process,
                        pace,
                        Thread.ofPlatform()
                                .name("bench-" + kind.argument())
                                .start(() -> read(process, pace)));
    }

    private Running running() {
        if (running == null) {
            throw new IllegalStateException("begin() comes first");
        }
        return running;
    }

    private void read(Process process, FramePace pace) {
        FrameNumbers frames = PlayerProgram.frames(kind, process.getInputStream());
        try {
            while (true) {
                int number = frames.next();
                pace.frame(number, (double) System.currentTimeMillis());
            }
        } catch (EOFException _) {
            // The program has ended.
        } catch (IOException _) {
            // It was closed.
        }
    }

    @Override
    public PlayerKind kind() {
        return kind;
    }

    @Override
    public boolean hasStarted() {
        return running().pace().hasStarted();
    }

    @Override
    public boolean hasReturned() {
        return running().pace().hasReturned();
    }

    /** Not supported: a program plays from where it starts. */
    @Override
    public void rewind(int second) {}

    @Override
    public void encoderIsBack(double startMs) {
        running().pace().encoderIsBack(startMs);
    }

    @Override
    public PlayerResult result() throws IOException {
        return running()
                .pace()
                .result(
                        kind.argument(),
                        running().process().isAlive(),
                        Files.readAllLines(log).stream()
                                .filter(line -> PlayerProgram.isError(kind, line))
                                .toList());
    }

    @Override
    public void stop() throws Exception {
        if (running != null) {
            running.process().destroyForcibly().waitFor();
            running.reader().join();
        }
        Files.deleteIfExists(log);
    }
}
