package touchline.benchmarks.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.TouchlineServer;

/**
 * HAProxy before the playback ports of all nodes, with the rules of {@code
 * deploy/cluster/haproxy.cfg}.
 */
final class Balancer implements AutoCloseable {
    private static final String DEFAULTS = "defaults";
    private static final String BACKEND = "touchline_playback";

    private final Path file;
    private final int port;
    private final Process process;

    private Balancer(Path file, int port, Process process) {
        this.file = file;
        this.port = port;
        this.process = process;
    }

    static boolean isInstalled() throws IOException, InterruptedException {
        return Command.run(List.of("sh", "-c", "command -v haproxy")).exit() == 0;
    }

    /** Starts it; the caller closes it. */
    static Balancer start(List<ClusterNode> nodes) throws IOException {
        Path deployed =
                Path.of(
                        System.getProperty("touchline.home", "."),
                        "deploy",
                        "cluster",
                        "haproxy.cfg");
        int port = TouchlineServer.freePort();
        Path file = Files.createTempFile("touchline-bench-haproxy", ".cfg");
        Files.writeString(file, configuration(Files.readAllLines(deployed), nodes, port));
        Process process =
                new ProcessBuilder("haproxy", "-db", "-f", file.toString())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        return new Balancer(file, port, process);
    }

    private static String configuration(List<String> deployed, List<ClusterNode> nodes, int port) {
        List<String> lines = new ArrayList<>(section(deployed, DEFAULTS));
        lines.add("frontend viewers");
        lines.add("    mode http");
        lines.add("    bind 127.0.0.1:" + port);
        lines.add("    default_backend " + BACKEND);
        for (String line : section(deployed, "backend " + BACKEND)) {
            if (!line.strip().startsWith("server ")) {
                lines.add(line);
            }
        }
        for (ClusterNode node : nodes) {
            lines.add(
                    "    server %s 127.0.0.1:%d check port %d"
                            .formatted(
                                    node.name(),
                                    node.playback("").getPort(),
                                    node.server().api().getPort()));
        }
        return String.join("\n", lines) + "\n";
    }

    /** The lines of a section with its heading. */
    static List<String> section(List<String> all, String heading) {
        List<String> lines = new ArrayList<>();
        boolean isInside = false;
        for (String line : all) {
            if (!line.isBlank() && !Character.isWhitespace(line.charAt(0))) {
                isInside = line.strip().equals(heading);
            }
            if (isInside && !line.isBlank()) {
                lines.add(line);
            }
        }
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("no section " + heading + " in haproxy.cfg");
        }
        return lines;
    }

    /** The address of viewers. */
    URI playback(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.deleteIfExists(file);
    }
}
