package touchline.benchmarks.load;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** nginx with its rtmp module (Debian's {@code libnginx-mod-rtmp}), packaging HLS to files. */
final class NginxServer implements MeasuredServer {
    static final Path BINARY = Path.of("/usr/sbin/nginx");
    private static final Path MODULE = Path.of("/usr/lib/nginx/modules/ngx_rtmp_module.so");

    /** The same segment duration and window as latency mode standard. */
    private static final String CONFIGURATION =
            """
            load_module %s;
            daemon off;
            worker_processes 1;
            worker_rlimit_nofile 20000;
            pid %s/nginx.pid;
            error_log %s/error.log warn;
            events { worker_connections 16384; }
            rtmp { server { listen 127.0.0.1:%d; application live {
              live on; hls on; hls_path %s/live; hls_fragment 4s; hls_playlist_length 60s; } } }
            http { access_log off; sendfile on; tcp_nopush on;
              types { application/vnd.apple.mpegurl m3u8; video/mp2t ts; }
              server { listen 127.0.0.1:%d; root %s; } }
            """;

    private final Path folder;
    private final Process process;
    private final List<MeasuredServer.Stream> streams = new ArrayList<>();

    private NginxServer(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    /** Empty where nginx or its module is not installed. */
    static Optional<MeasuredServer> start(int count) throws IOException, InterruptedException {
        if (!Files.isExecutable(BINARY) || !Files.exists(MODULE)) {
            return Optional.empty();
        }
        Path folder = Files.createTempDirectory("touchline-bench-nginx");
        Files.createDirectories(folder.resolve("live"));
        // nginx' workers run as an unprivileged user when it is started by root.
        folder.toFile().setExecutable(true, false);
        folder.toFile().setReadable(true, false);
        folder.resolve("live").toFile().setWritable(true, false);
        int rtmpPort = Ports.free();
        int httpPort = Ports.free();
        Path configuration = folder.resolve("nginx.conf");
        Files.writeString(
                configuration,
                CONFIGURATION.formatted(
                        MODULE, folder, folder, rtmpPort, folder, httpPort, folder));
        Process process = process(folder, configuration);
        Ports.awaitOpen(process, rtmpPort, httpPort);
        NginxServer server = new NginxServer(folder, process);
        for (int i = 0; i < count; i++) {
            server.streams.add(
                    new MeasuredServer.Stream(
                            URI.create("rtmp://127.0.0.1:" + rtmpPort + "/live/s" + i),
                            URI.create("http://127.0.0.1:" + httpPort + "/live/s" + i + ".m3u8")));
        }
        return Optional.of(server);
    }

    /** nginx with a configuration and its log in a folder. */
    static Process process(Path folder, Path configuration) throws IOException {
        return new ProcessBuilder(
                        BINARY.toString(), "-p", folder.toString(), "-c", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("nginx.log").toFile())
                .start();
    }

    @Override
    public String name() {
        return "nginx-rtmp";
    }

    @Override
    public ProcessHandle process() {
        return process.toHandle();
    }

    @Override
    public List<MeasuredServer.Stream> streams() {
        return streams;
    }

    @Override
    public void close() throws IOException {
        Ports.stop(process, folder);
    }
}
