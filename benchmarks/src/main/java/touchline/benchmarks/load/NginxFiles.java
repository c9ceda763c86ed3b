package touchline.benchmarks.load;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * nginx with one worker and sendfile on, serving files of a folder: the wire cost to compare with.
 */
public final class NginxFiles implements AutoCloseable {

    private static final String CONFIGURATION =
            """
            daemon off;
            worker_processes 1;
            worker_rlimit_nofile 20000;
            pid %1$s/nginx.pid;
            error_log %1$s/error.log warn;
            events { worker_connections 16384; }
            http { access_log off; sendfile on; tcp_nopush on;
              keepalive_requests 100000000; keepalive_timeout 75s;
              types { application/vnd.apple.mpegurl m3u8; video/mp4 m4s mp4; }
              server { listen 127.0.0.1:%2$d; root %1$s/root;
                location / { add_header Cache-Control no-cache; } } }
            """;

    private final Path folder;
    private final int port;
    private final Process process;

    private NginxFiles(Path folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** Empty where nginx is not installed. */
    public static Optional<NginxFiles> start() throws IOException, InterruptedException {
        if (!Files.isExecutable(NginxServer.BINARY)) {
            return Optional.empty();
        }
        Path folder = Files.createTempDirectory("touchline-bench-nginx");
        Path root = Files.createDirectories(folder.resolve("root"));
        // nginx' workers run as an unprivileged user when it is started by root.
        folder.toFile().setExecutable(true, false);
        root.toFile().setExecutable(true, false);
        int port = Ports.free();
        Path configuration = folder.resolve("nginx.conf");
        Files.writeString(configuration, CONFIGURATION.formatted(folder, port));
        Process process = NginxServer.process(folder, configuration);
        Ports.awaitOpen(process, port);
        return Optional.of(new NginxFiles(folder, port, process));
    }

    /** Puts a file into the folder; its address. */
    public URI serve(String name, ByteBuffer bytes) throws IOException {
        Path file = folder.resolve("root").resolve(name);
        try (FileChannel channel = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, WRITE)) {
            channel.write(bytes.duplicate());
        }
        file.toFile().setReadable(true, false);
        return URI.create("http://127.0.0.1:" + port + "/" + name);
    }

    /** Puts a second name of a file into the folder, or a copy; its address. */
    public URI link(String name, Path source) throws IOException {
        Path file = folder.resolve("root").resolve(name);
        try {
            Files.createLink(file, source);
        } catch (IOException | UnsupportedOperationException _) {
            Files.copy(source, file);
        }
        file.toFile().setReadable(true, false);
        return URI.create("http://127.0.0.1:" + port + "/" + name);
    }

    public ProcessHandle process() {
        return process.toHandle();
    }

    @Override
    public void close() throws IOException {
        Ports.stop(process, folder);
    }
}
