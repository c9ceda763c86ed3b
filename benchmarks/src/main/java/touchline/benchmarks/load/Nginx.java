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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * nginx with one worker and sendfile, to compare with: it serves the files of a folder, and with
 * its rtmp module packages pushed streams into that folder.
 */
public final class Nginx implements AutoCloseable {
    private static final Path BINARY = Path.of("/usr/sbin/nginx");
    private static final Path MODULE = Path.of("/usr/lib/nginx/modules/ngx_rtmp_module.so");

    private static final String CONFIGURATION =
            """
            %1$s
            daemon off;
            worker_processes 1;
            worker_rlimit_nofile 20000;
            pid %2$s/nginx.pid;
            error_log %2$s/error.log warn;
            events { worker_connections 16384; }
            %3$s
            http { access_log off; sendfile on; tcp_nopush on;
              keepalive_requests 100000000; keepalive_timeout 75s;
              types { application/vnd.apple.mpegurl m3u8; video/mp4 m4s mp4; video/mp2t ts; }
              server { listen 127.0.0.1:%4$d; root %2$s/root;
                location / { add_header Cache-Control no-cache; } } }
            """;

    /** The same segment duration and window as latency mode standard. */
    private static final String RTMP =
            """
            rtmp { server { listen 127.0.0.1:%d; application live {
              live on; hls on; hls_path %s/root/live; hls_fragment 4s; hls_playlist_length 60s; } } }
            """;

    private final Path folder = Files.createTempDirectory("touchline-bench-nginx");
    private final int rtmpPort = ServerProcess.freePort();
    private final int httpPort = ServerProcess.freePort();
    private final Process process;

    private Nginx(boolean withRtmp) throws IOException {
        Path live = Files.createDirectories(folder.resolve("root/live"));
        // Started by root, the workers of nginx run as an unprivileged user.
        for (Path each : List.of(folder, live.resolveSibling(""), live)) {
            each.toFile().setExecutable(true, false);
            each.toFile().setReadable(true, false);
        }
        live.toFile().setWritable(true, false);
        Path file = folder.resolve("nginx.conf");
        Files.writeString(
                file,
                CONFIGURATION.formatted(
                        withRtmp ? "load_module " + MODULE + ";" : "",
                        folder,
                        withRtmp ? RTMP.formatted(rtmpPort, folder) : "",
                        httpPort));
        process =
                ServerProcess.start(
                        folder,
                        List.of(BINARY.toString(), "-p", folder.toString(), "-c", file.toString()),
                        Map.of());
    }

    /** Empty where nginx is not installed. */
    public static Optional<Nginx> files() throws IOException, InterruptedException {
        return Files.isExecutable(BINARY)
                ? Optional.of(new Nginx(/* withRtmp= */ false).open())
                : Optional.empty();
    }

    /** Empty where nginx or its rtmp module (Debian: libnginx-mod-rtmp) is not installed. */
    public static Optional<Nginx> rtmp() throws IOException, InterruptedException {
        return Files.isExecutable(BINARY) && Files.exists(MODULE)
                ? Optional.of(new Nginx(/* withRtmp= */ true).open())
                : Optional.empty();
    }

    private Nginx open() throws IOException, InterruptedException {
        try {
            ServerProcess.awaitOpen(process, folder, httpPort);
            return this;
        } catch (IOException e) {
            close();
            throw new IOException("nginx: " + e.getMessage(), e);
        }
    }

    /** Addresses of streams that the rtmp module takes. */
    public List<LiveAddress> streams(int count) {
        List<LiveAddress> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String id = "s" + i;
            URI push = URI.create("rtmp://127.0.0.1:" + rtmpPort + "/live/" + id);
            streams.add(new LiveAddress(id, push, address("live/" + id + ".m3u8")));
        }
        return streams;
    }

    /** Writes a file into the folder and returns its address. */
    public URI serve(String name, ByteBuffer bytes) throws IOException {
        Path file = folder.resolve("root").resolve(name);
        try (FileChannel channel = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, WRITE)) {
            channel.write(bytes.duplicate());
        }
        file.toFile().setReadable(true, false);
        return address(name);
    }

    /** Links or copies a file into the folder and returns its address. */
    public URI link(String name, Path source) throws IOException {
        Path file = folder.resolve("root").resolve(name);
        try {
            Files.createLink(file, source);
        } catch (IOException | UnsupportedOperationException _) {
            Files.copy(source, file);
        }
        file.toFile().setReadable(true, false);
        return address(name);
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + httpPort + "/" + path);
    }

    public ProcessHandle process() {
        return process.toHandle();
    }

    @Override
    public void close() throws IOException {
        ServerProcess.stop(process, folder);
    }
}
