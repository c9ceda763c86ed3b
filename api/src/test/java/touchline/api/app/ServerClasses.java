package touchline.api.app;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.FolderTree;
import touchline.api.db.TestPostgres;
import touchline.api.storage.S3Store;

/**
 * The classes of servers that tests start as processes, with an AOT cache of them: such a start
 * takes half of the processor time. A cache needs jars, so the folders of classes are packed first.
 * Jars and cache are made once, in {@code target/server-classes}, and again when a class or a
 * library is another one. Without a cache, servers start as they do without this class.
 */
public final class ServerClasses {
    private static final Logger LOG = LoggerFactory.getLogger(ServerClasses.class);
    private static final Path FOLDER = Path.of("target", "server-classes").toAbsolutePath();
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int SECONDS = 5;

    private static final class Holder {
        static final List<String> OPTIONS = make();
    }

    private ServerClasses() {}

    /**
     * Options of a JVM of a server or of a part of one: class path and cache. The first call makes
     * both, which takes a while.
     */
    static List<String> options() {
        return Holder.OPTIONS;
    }

    /** Begins the command of such a JVM: the program and its options, without a main class. */
    public static List<String> command() {
        return command(options());
    }

    /** The same with other classes. */
    static List<String> command(List<String> classes) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+UseSerialGC");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(classes);
        return command;
    }

    private static List<String> make() {
        String given = System.getProperty("java.class.path");
        try {
            List<Path> entries = Stream.of(given.split(File.pathSeparator)).map(Path::of).toList();
            Path folder = FOLDER.resolve(hash(entries));
            Path cache = folder.resolve("cache.aot");
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
                    train(jars, cache);
                }
                return List.of(
                        "-cp",
                        // The cache is of what stands first.
                        jars + tests(entries),
                        "-XX:AOTCache=" + cache,
                        "-Xlog:cds*=off",
                        "-Xlog:aot*=off");
            }
        } catch (Exception | AssertionError e) {
            LOG.warn("no AOT cache: servers start without", e);
            return List.of("-cp", given);
        }
    }

    private static void removeFormer() throws IOException {
        try (Stream<Path> former = Files.list(FOLDER)) {
            for (Path each : former.filter(Files::isDirectory).toList()) {
                FolderTree.remove(each);
            }
        }
    }

    private static void pack(List<Path> entries, Path folder) {
        ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
        for (int i = 0; i < entries.size(); i++) {
            if (isOfServer(entries.get(i))) {
                int code =
                        jar.run(
                                System.out,
                                System.err,
                                "--create",
                                "--no-compress",
                                "--file",
                                folder.resolve(i + ".jar").toString(),
                                "-C",
                                entries.get(i).toString(),
                                ".");
                if (code != 0) {
                    throw new IllegalStateException("jar of " + entries.get(i) + ": " + code);
                }
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
    private static void train(String jars, Path cache) throws Exception {
        Path folder = Files.createTempDirectory("touchline-training");
        Path unfinished = cache.resolveSibling("unfinished.aot");
        List<String> options = List.of("-cp", jars, "-XX:AOTCacheOutput=" + unfinished);
        try (S3Store store = S3Store.start();
                ServerProcess server =
                        new ServerProcess(folder.resolve("data"), node(store), options)) {
            server.awaitReady();
            recordAndPlay(server, folder.resolve("in.flv"));
            server.stop();
        } finally {
            FolderTree.remove(folder);
        }
        Files.move(unfinished, cache, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void recordAndPlay(ServerProcess server, Path flv) throws Exception {
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
        Map<String, String> variables = ServerProcess.node("training", TestPostgres.newDatabase());
        variables.putAll(ServerProcess.s3(store.endpoint()));
        return variables;
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
