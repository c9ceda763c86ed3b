package touchline.media.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import touchline.media.store.Umask;

/**
 * Stands for a server: in a process of its own, as root or as a plain user, it starts workers that
 * attack it, in the sandbox that its argument names. Prints one line of JSON.
 */
final class TestSandboxServer {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Path data;
    private final WorkerLaunch launch;
    private final WorkerIsolation isolation;

    /** What the host offers to a server without a umask of its own. */
    private final String unmasked;

    private TestSandboxServer(Path data, String sandbox) throws IOException {
        this.data = data;
        Path work = Files.createDirectories(data.resolve("work"));
        this.launch =
                WorkerLaunch.likeThisJvm(
                        TestWorkerMain.class.getName(), work, WorkerLimits.DEFAULTS);
        this.unmasked = isolation(sandbox).describe();
        // As serve does: what a worker's own user needs must not depend on it.
        Umask.ownerOnly();
        this.isolation = isolation(sandbox);
    }

    private WorkerIsolation isolation(String sandbox) {
        WorkerIsolation bare = WorkerIsolation.withoutSandbox();
        if (sandbox.equals("NONE")) {
            return bare;
        }
        if (sandbox.equals("AUTO")) {
            return WorkerIsolation.probe(launch, /* withGpu= */ false);
        }
        return WorkerSandbox.candidates(SandboxProbe.isRoot()).stream()
                .filter(each -> each.confinement().name().equals(sandbox))
                .map(bare::with)
                .filter(this::isUsable)
                .findFirst()
                .orElse(bare);
    }

    private boolean isUsable(WorkerIsolation each) {
        try {
            return new SandboxProbe(launch, each).failure().isEmpty();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path data = Path.of(arguments[0]);
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        System.out.println(new TestSandboxServer(data, arguments[1]).run());
    }

    private JsonNode run() throws IOException, WorkerException {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        result.put("confinement", isolation.sandbox().confinement().name());
        result.put("wall", isolation.sandbox().isWall());
        result.put("own_user", isolation.sandbox().ownUser());
        result.put("described", isolation.describe());
        result.put("unmasked", unmasked);
        Path key = Files.writeString(data.resolve("master-key"), "secret");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Path asset = Files.createDirectories(data.resolve("assets/1"));
        Path index = Files.writeString(asset.resolve("index"), "index");
        Files.setPosixFilePermissions(index, PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(asset, PosixFilePermissions.fromString("rwx------"));
        Path output = Files.createDirectories(data.resolve("output"));
        WorkerFiles files = new WorkerFiles(List.of(asset), List.of(output));
        try (ServerSocket api = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                WorkerProcess other = WorkerProcess.start(launch, isolation);
                WorkerProcess worker = WorkerProcess.start(launch, isolation, files)) {
            Path foreign = Files.writeString(other.folder().resolve("foreign"), "foreign");
            ObjectNode attack = JsonNodeFactory.instance.objectNode();
            attack.put("port", api.getLocalPort());
            attack.put("server", ProcessHandle.current().pid());
            attack.putArray("read")
                    .add(key.toString())
                    .add("/proc/" + ProcessHandle.current().pid() + "/environ")
                    .add(foreign.toString())
                    .add(index.toString());
            attack.putArray("write")
                    .add(key.toString())
                    .add(index.toString())
                    .add(output.resolve("written").toString())
                    .add(worker.folder().resolve("own").toString());
            JsonNode reached = worker.run(new WorkerJob("attack", attack, LONG), _ -> {});
            result.set("reached", reached);
            result.putArray("allowed")
                    .add("read " + index)
                    .add("write " + output.resolve("written"))
                    .add("write " + worker.folder().resolve("own"));
            result.put("key", Files.readString(key));
            result.put("index", Files.readString(index));
            result.put("mapped", mapped(worker));
        }
        result.put(
                "taken_back",
                Files.getOwner(output.resolve("written")).equals(Files.getOwner(key)));
        String[] left = launch.workDir().toFile().list();
        result.put("left", left == null ? -1 : left.length);
        return result;
    }

    private int mapped(WorkerProcess worker) throws IOException, WorkerException {
        Path given = worker.folder().resolve("given");
        try (FileChannel in =
                FileChannel.open(
                        given,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            in.map(FileChannel.MapMode.READ_WRITE, 0, 4096).put(0, (byte) 41);
            ObjectNode body = JsonNodeFactory.instance.objectNode();
            JsonNode reply =
                    worker.run(
                            new WorkerJob("map", body.put("given", given.toString()), LONG),
                            _ -> {});
            try (FileChannel made =
                    FileChannel.open(
                            Path.of(reply.path("made").asText()),
                            StandardOpenOption.READ,
                            LinkOption.NOFOLLOW_LINKS)) {
                ByteBuffer first = made.map(FileChannel.MapMode.READ_ONLY, 0, 4096);
                return first.get(0);
            }
        }
    }
}
