package touchline.benchmarks.s3;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.ServerProcess;

/**
 * S3Proxy with one bucket, in a process and a folder of its own. One thread starts and closes it;
 * the other methods may be called from any thread.
 */
public final class S3Process implements AutoCloseable {
    static final String BUCKET = "match-archive";
    static final String ACCESS_KEY = "bench-access";
    static final String SECRET_KEY = "bench-secret-key";

    private static final Duration START = Duration.ofMinutes(2);
    private static final long POLL_MS = 50;

    /** {@code …/assets/{aa}/{asset}/tail/{number}-…} or {@code …/{asset}/s{number}-…}. */
    private static final Pattern MEDIA = Pattern.compile(".*/(ast_[^/]+)/(?:tail/|s)(\\d+)-[^/]*");

    private final Path folder = Files.createTempDirectory("touchline-bench-s3");
    private final Path objects = Files.createDirectory(folder.resolve("objects"));
    private final Path times = Files.createFile(folder.resolve("puts"));
    private final int port = ServerProcess.freePort();
    private final Process process;

    private S3Process() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(
                List.of(
                        S3Main.class.getName(),
                        objects.toString(),
                        String.valueOf(port),
                        times.toString()));
        process = ServerProcess.start(folder, command, Map.of());
    }

    /** Starts it with an empty bucket, and returns when it serves; the caller closes it. */
    public static S3Process start() throws IOException, InterruptedException {
        S3Process server = new S3Process();
        try {
            server.awaitReady();
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        long endNs = System.nanoTime() + START.toNanos();
        while (!accepts()) {
            if (!process.isAlive() || System.nanoTime() - endNs > 0) {
                throw new IOException(
                        "S3Proxy does not start: "
                                + Files.readString(ServerProcess.log(folder)).strip());
            }
            Thread.sleep(POLL_MS);
        }
    }

    private boolean accepts() {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    /**
     * The variables of a node that keeps its recordings here.
     *
     * @param endpoint where it reaches this server
     */
    public static Map<String, String> environment(URI endpoint) {
        return Map.of(
                "TOUCHLINE_STORAGE_S3_ENDPOINT",
                endpoint.toString(),
                "TOUCHLINE_STORAGE_S3_BUCKET",
                BUCKET,
                "TOUCHLINE_STORAGE_S3_ACCESS_KEY",
                ACCESS_KEY,
                "TOUCHLINE_STORAGE_S3_SECRET_KEY",
                SECRET_KEY);
    }

    /**
     * The body of {@code add_storage} for outputs of transcoding in the same bucket.
     *
     * @param endpoint as of {@link #environment}
     * @param notify where the end of tasks is announced
     */
    public static String storage(URI endpoint, String prefix, String notify) {
        return """
               {"type": "s3", "region": "us-east-1", "bucket": "%s", "prefix": "%s", "endpoint": "%s",
                "storage_ak": "%s", "storage_sk": "%s", "notify": "%s"}
               """
                .formatted(BUCKET, prefix, endpoint, ACCESS_KEY, SECRET_KEY, notify);
    }

    /** The files of all objects below a prefix, by the next part of their names. */
    public Map<String, Set<Path>> objects(String prefix) throws IOException {
        Path below = objects.resolve(BUCKET).resolve(prefix);
        Map<String, Set<Path>> found = new HashMap<>();
        if (Files.exists(below)) {
            try (Stream<Path> files = Files.walk(below)) {
                files.filter(Files::isRegularFile)
                        .forEach(
                                file ->
                                        found.computeIfAbsent(
                                                        below.relativize(file)
                                                                .getName(0)
                                                                .toString(),
                                                        _ -> new HashSet<>())
                                                .add(file));
            }
        }
        return found;
    }

    /** Time of each PUT so far, as this server has seen it, in seconds. */
    public Samples putSeconds() throws IOException {
        String text = Files.readString(times);
        Samples seconds = new Samples();
        // The last line may be half written.
        text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .forEach(line -> seconds.add(Long.parseLong(line) / 1e6));
        return seconds;
    }

    /**
     * The highest media sequence number that an object of each asset names: that of a segment of
     * its own, or of the first one of a file.
     */
    public Map<String, Long> newestNumbers() throws IOException {
        Map<String, Long> newest = new HashMap<>();
        // Objects come and go while the folder is read.
        try (Stream<Path> files = Files.walk(objects)) {
            for (var each = files.iterator(); each.hasNext(); ) {
                Matcher media = MEDIA.matcher(each.next().toString());
                if (media.matches()) {
                    newest.merge(media.group(1), Long.parseLong(media.group(2)), Math::max);
                }
            }
        } catch (java.io.UncheckedIOException e) {
            throw e.getCause();
        }
        return newest;
    }

    @Override
    public void close() throws IOException {
        ServerProcess.stop(process, folder);
    }
}
