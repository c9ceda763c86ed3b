package touchline.benchmarks.caches;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import touchline.benchmarks.load.ServerProcess;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Varnish or nginx as a process before the playback port of a server, with a folder of its own. One
 * thread starts and closes it.
 */
final class CacheProgram implements AutoCloseable {
    private static final Path VARNISH = Path.of("/usr/sbin/varnishd");
    private static final Path NGINX = Path.of("/usr/sbin/nginx");
    private static final Duration START = Duration.ofMinutes(1);
    private static final long POLL_MS = 50;

    private final Path folder;
    private final int port;
    private final Process process;

    private CacheProgram(Path folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** The packages of Debian that this host lacks. */
    static List<String> missingPackages() {
        List<String> missing = new ArrayList<>();
        if (!Files.isExecutable(VARNISH)) {
            missing.add("varnish");
        }
        if (!Files.isExecutable(NGINX)) {
            missing.add("nginx");
        }
        return missing;
    }

    /** The caller closes it. */
    static CacheProgram varnish(TouchlineServer server) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("touchline-bench-varnish");
        int port = TouchlineServer.freePort();
        Path file =
                Files.writeString(
                        folder.resolve("touchline.vcl"),
                        DeployedConfiguration.varnish(server.playback("").getPort()));
        // As docs/reverse-proxy.md starts it, but in the foreground and as this user.
        List<String> command =
                List.of(
                        VARNISH.toString(),
                        "-F",
                        "-j",
                        "none",
                        "-n",
                        folder.resolve("varnish").toString(),
                        "-a",
                        "127.0.0.1:" + port,
                        "-f",
                        file.toString(),
                        "-s",
                        "malloc,512m");
        return start(folder, port, command);
    }

    /** The caller closes it. */
    static CacheProgram nginx(TouchlineServer server) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("touchline-bench-nginx");
        // Started by root, the workers of nginx run as an unprivileged user.
        folder.toFile().setExecutable(true, false);
        folder.toFile().setReadable(true, false);
        int port = TouchlineServer.freePort();
        Path file =
                Files.writeString(
                        folder.resolve("nginx.conf"),
                        DeployedConfiguration.nginx(server.playback("").getPort(), port, folder));
        return start(
                folder,
                port,
                List.of(
                        NGINX.toString(),
                        "-e",
                        "stderr",
                        "-p",
                        folder.toString(),
                        "-c",
                        file.toString()));
    }

    private static CacheProgram start(Path folder, int port, List<String> command)
            throws IOException, InterruptedException {
        CacheProgram program =
                new CacheProgram(folder, port, ServerProcess.start(folder, command, Map.of()));
        try {
            ServerProcess.awaitOpen(program.process, folder, port);
            return program;
        } catch (IOException | InterruptedException e) {
            program.close();
            throw e;
        }
    }

    /**
     * The address at this cache.
     *
     * @param server an address of the playback port
     */
    URI at(URI server) {
        String query = server.getRawQuery();
        return URI.create(
                "http://127.0.0.1:"
                        + port
                        + server.getRawPath()
                        + (query == null ? "" : "?" + query));
    }

    /**
     * Waits until the cache has seen the server and answers 200.
     *
     * @param server an address of the playback port
     */
    void awaitAnswer(URI server) throws IOException, InterruptedException {
        URI address = at(server);
        long deadlineNs = System.nanoTime() + START.toNanos();
        try (RangeClient client = new RangeClient()) {
            while (client.get(address).status() != 200) {
                if (System.nanoTime() > deadlineNs) {
                    throw new IOException(address + ": no answer 200 within " + START);
                }
                Thread.sleep(POLL_MS);
            }
        }
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    /** Stops the process and removes the folder. */
    @Override
    public void close() throws IOException {
        ServerProcess.stop(process, folder);
    }
}
