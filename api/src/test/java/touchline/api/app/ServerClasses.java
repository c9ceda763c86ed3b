package touchline.api.app;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.FolderTree;
import touchline.api.db.TestPostgres;
import touchline.api.jobs.ProbeHandler;
import touchline.api.jobs.WarmUpHandler;
import touchline.api.storage.S3Store;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.worker.WorkerJvm;

/**
 * The classes of servers and workers that tests start as processes, with an AOT cache for each: a
 * start then takes half of the processor time. A cache needs jars, so the folders of classes are
 * packed first. Jars and caches are made once, in {@code target/server-classes}, and again when a
 * class or a library is another one. Without a cache, they start as they do without this class.
 */
public final class ServerClasses {
    private static final Logger LOG = LoggerFactory.getLogger(ServerClasses.class);
    private static final Path FOLDER = Path.of("target", "server-classes").toAbsolutePath();
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int SECONDS = 5;
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    /** Workers of a server of root have another user. */
    private static final Set<PosixFilePermission> READABLE =
            PosixFilePermissions.fromString("rw-r--r--");

    private static final class OfServers {
        static final WorkerJvm JVM = make("servers", ServerClasses::trainServer);
    }

    private static final class OfWorkers {
        static final WorkerJvm JVM = make("workers", ServerClasses::trainWorker);
    }

    /** Runs a program with these options, whose JVM then writes the cache. */
    private interface Training {
        void run(List<String> options) throws Exception;
    }

    private ServerClasses() {}

    /**
     * Options of a JVM of a server or of a part of one: class path and cache. The first call makes
     * both, which takes a while.
     */
    static List<String> options() {
        return options(OfServers.JVM);
    }

    private static List<String> options(WorkerJvm jvm) {
        List<String> options = new ArrayList<>(jvm.arguments());
        options.addAll(List.of("-cp", jvm.classPath()));
        return options;
    }

    /** The JVM of worker processes. The first call makes their cache, which takes a while. */
    static WorkerJvm ofWorkers() {
        return OfWorkers.JVM;
    }

    /** Begins the command of such a JVM: the program and its options, without a main class. */
    public static List<String> command() {
        return command(options());
    }

    /** The same with other classes. */
    static List<String> command(List<String> classes) {
        List<String> command = new ArrayList<>();
        command.add(JAVA.toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+UseSerialGC");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(classes);
        return command;
    }

    private static WorkerJvm make(String name, Training training) {
        String given = System.getProperty("java.class.path");
        try {
            List<Path> entries = Stream.of(given.split(File.pathSeparator)).map(Path::of).toList();
            Path folder = FOLDER.resolve(hash(entries));
            Path cache = folder.resolve(name + ".aot");
            Files.createDirectories(FOLDER);
            try (FileChannel channel = FileChannel.open(FOLDER.resolve("lock"), CREATE, WRITE);
                    FileLock _ = channel.lock()) {
                if (!Files.exists(folder)) {
                    removeFormer();
                    Path unfinished = Files.createTempDirectory(FOLDER, "unfinished");
                    pack(entries, unfinished);
                    Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
                }
                String jars = jars(entries, folder);
                if (!Files.exists(cache)) {
                    Path unfinished = folder.resolve("unfinished.aot");
                    training.run(List.of("-cp", jars, "-XX:AOTCacheOutput=" + unfinished));
                    Files.setPosixFilePermissions(unfinished, READABLE);
                    Files.move(unfinished, cache, StandardCopyOption.ATOMIC_MOVE);
                }
                return new WorkerJvm(
                        JAVA,
                        // The cache is of what stands first.
                        jars + tests(entries),
                        List.of("-XX:AOTCache=" + cache, "-Xlog:cds*=off", "-Xlog:aot*=off"));
            }
        } catch (Exception | AssertionError e) {
            LOG.warn("no AOT cache: {} start without", name, e);
            return new WorkerJvm(JAVA, given, List.of());
        }
    }

    private static void removeFormer() throws IOException {
        try (Stream<Path> former = Files.list(FOLDER)) {
            for (Path each : former.filter(Files::isDirectory).toList()) {
                FolderTree.remove(each);
            }
        }
    }

    private static void pack(List<Path> entries, Path folder) throws IOException {
        ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
        for (int i = 0; i < entries.size(); i++) {
            if (isOfServer(entries.get(i))) {
                Path packed = folder.resolve(i + ".jar");
                int code =
                        jar.run(
                                System.out,
                                System.err,
                                "--create",
                                "--no-compress",
                                "--file",
                                packed.toString(),
                                "-C",
                                entries.get(i).toString(),
                                ".");
                if (code != 0) {
                    throw new IllegalStateException("jar of " + entries.get(i) + ": " + code);
                }
                Files.setPosixFilePermissions(packed, READABLE);
            }
        }
    }

    private static String jars(List<Path> entries, Path folder) {
        List<String> jars = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            Path entry = entries.get(i);
            if (isOfServer(entry)) {
                jars.add(folder.resolve(i + ".jar").toString());
            } else if (!Files.isDirectory(entry)) {
                jars.add(entry.toString());
            }
        }
        return String.join(File.pathSeparator, jars);
    }

    private static String tests(List<Path> entries) {
        return entries.stream()
                .filter(entry -> Files.isDirectory(entry) && !isOfServer(entry))
                .map(entry -> File.pathSeparator + entry)
                .collect(Collectors.joining());
    }

    private static boolean isOfServer(Path entry) {
        return entry.endsWith("classes") && Files.isDirectory(entry);
    }

    /** A node that records, uploads and plays, and ends in order: its JVM writes the cache then. */
    private static void trainServer(List<String> options) throws Exception {
        Path folder = Files.createTempDirectory("touchline-training");
        try (S3Store store = S3Store.start();
                StartedServer server =
                        StartedServer.inProcess(folder.resolve("data"), node(store), options)) {
            server.awaitReady();
            recordAndPlay(server, folder.resolve("in.flv"));
            server.stop();
        } finally {
            FolderTree.remove(folder);
        }
    }

    /** A worker with two jobs; at the end of its requests it ends, and writes the cache. */
    private static void trainWorker(List<String> options) throws Exception {
        Path flv = Files.createTempFile("touchline-training", ".flv");
        List<String> command = command(options);
        command.addAll(List.of(Main.class.getName(), "worker"));
        try {
            NumberedVideo.encode(flv, SECONDS, "libx264 -preset ultrafast -bf 2 -g 30");
            Process worker = new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
            try (BufferedReader replies = worker.inputReader();
                    Writer requests = worker.outputWriter()) {
                for (String job : List.of(warmUp(), probe(flv))) {
                    requests.write(job + "\n");
                    requests.flush();
                    String reply = replies.readLine();
                    if (reply == null || !reply.contains("\"result\"")) {
                        throw new IllegalStateException(job + ": " + reply);
                    }
                }
            } finally {
                worker.waitFor();
            }
        } finally {
            Files.delete(flv);
        }
    }

    private static String warmUp() {
        return "{\"id\": 1, \"kind\": \"%s\", \"body\": {\"encoder\": \"%s\"}}"
                .formatted(WarmUpHandler.KIND, H264Encoder.X264.name());
    }

    private static String probe(Path file) {
        return "{\"id\": 2, \"kind\": \"%s\", \"body\": {\"file\": \"%s\"}}"
                .formatted(ProbeHandler.KIND, file);
    }

    private static void recordAndPlay(StartedServer server, Path flv) throws Exception {
        NumberedVideo.encode(flv, SECONDS, "libx264 -preset ultrafast -bf 2 -g 30");
        String key =
                server.call(
                                "POST",
                                "/live/v1/live-streams",
                                "{\"record\": true, \"reconnect_window\": 0}")
                        .path("stream_key")
                        .asText();
        try (Encoder encoder = Encoder.file(flv, server.push(key))) {
            encoder.await(SOON);
        }
        TestServer.await("the upload", SOON, () -> ServerAsset.stored(server) == 1);
        String id = server.get(ServerAsset.ASSETS).path(0).path("asset_id").asText();
        ServerAsset.played(server, ServerAsset.hls(server, id));
    }

    private static Map<String, String> node(S3Store store) {
        return StartedServer.node("training", TestPostgres.newDatabase(), store.endpoint());
    }

    /** Of the paths, sizes and times of all files, but of those of tests. */
    private static String hash(List<Path> entries) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path entry : entries) {
            lines.add(entry.toString());
            if (!Files.exists(entry) || Files.isDirectory(entry) && !isOfServer(entry)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(entry)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    lines.add(
                            "%s %d %s"
                                    .formatted(
                                            file,
                                            Files.size(file),
                                            Files.getLastModifiedTime(file)));
                }
            }
        }
        return EncodedInputs.hash(lines);
    }
}
