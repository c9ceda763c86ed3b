package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The ffmpeg command line as an encoder or as a player. Its output goes to a file. */
final class Encoder implements AutoCloseable {
    private final Process process;
    private final Path log;

    private Encoder(List<String> command) throws IOException {
        log = Files.createTempFile("touchline-encoder", ".log");
        process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .start();
    }

    /**
     * Pushes a test pattern with B-frames and a tone at the speed of a camera. The media is encoded
     * once, and begins again after two minutes.
     */
    static Encoder live(String address) throws IOException {
        return push(pattern(2), address);
    }

    /** As {@link #live}, without B-frames and with a text as closed captions. */
    static Encoder captioned(String text, Path folder, String address) throws IOException {
        return push(CaptionedFlv.write(pattern(0), text, folder.resolve("captioned.flv")), address);
    }

    private static Encoder push(Path file, String address) throws IOException {
        return run(
                ("ffmpeg -v info -re -stream_loop -1 -i " + file + " -c copy -f flv " + address)
                        .split(" ", -1));
    }

    private static Path pattern(int consecutiveBFrames) throws IOException {
        List<String> media = new ArrayList<>();
        media.addAll(List.of("-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30"));
        media.addAll(List.of("-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"));
        media.addAll(List.of("-t", "120"));
        media.addAll(
                List.of(
                        "-c:v libx264 -preset ultrafast -bf %d -g 30 -sc_threshold 0 -pix_fmt yuv420p -b:v 800k"
                                .formatted(consecutiveBFrames)
                                .split(" ", -1)));
        media.addAll(List.of("-c:a", "aac", "-b:a", "96k"));
        return EncodedInputs.get("flv", media);
    }

    static Encoder run(String... command) throws IOException {
        return new Encoder(List.of(command));
    }

    /** Pushes a file at the speed of a camera, once. */
    static Encoder file(Path flv, String address) throws IOException {
        return run(("ffmpeg -v info -re -i " + flv + " -c copy -f flv " + address).split(" ", -1));
    }

    /** The same, and tries again until the server lets it in. */
    static Encoder fileLetIn(Path flv, String address, Duration patience) throws Exception {
        return untilLetIn(patience, () -> file(flv, address), _ -> {});
    }

    /**
     * Pushes again after each refusal, as encoders do, until the server accepts.
     *
     * @param refused receives the output of each encoder that was refused
     */
    static Encoder untilLetIn(Duration patience, Callable<Encoder> push, Consumer<String> refused)
            throws Exception {
        long deadlineNs = System.nanoTime() + patience.toNanos();
        while (true) {
            Encoder tried = push.call();
            TestServer.await(
                    "let in or refused",
                    patience,
                    () -> !tried.isRunning() || tried.output().contains("time="));
            if (tried.isRunning()) {
                return tried;
            }
            String output = tried.output();
            tried.close();
            refused.accept(output);
            assertTrue(System.nanoTime() < deadlineNs, output);
        }
    }

    /** Pushes again after each "retry in" that the server answers, until the server accepts. */
    static Encoder letIn(Duration patience, Callable<Encoder> push) throws Exception {
        return untilLetIn(
                patience, push, refused -> assertTrue(refused.contains("retry in"), refused));
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Waits for the end and returns the exit code. */
    int await(Duration atMost) throws InterruptedException {
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("still running after " + atMost + ": " + output());
        }
        return process.exitValue();
    }

    /** Kills the process: the connection ends as after a crash of the machine. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.deleteIfExists(log);
    }
}
