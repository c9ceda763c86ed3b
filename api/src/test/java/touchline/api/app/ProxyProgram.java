package touchline.api.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import touchline.media.net.FreePorts;

/** A reverse proxy as a process, with a configuration of its own; its ports are free ones. */
final class ProxyProgram implements AutoCloseable {
    private static final Duration SOON = Duration.ofMinutes(3);

    private final Process process;
    private final Path log;

    private ProxyProgram(Path folder, List<Integer> ports, List<String> command)
            throws IOException {
        log = folder.resolve("output.log");
        process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            for (int port : ports) {
                TestServer.await(
                        command + " listens", SOON, () -> !process.isAlive() || isOpen(port));
            }
            if (!process.isAlive()) {
                throw new AssertionError(command + ": " + Files.readString(log));
            }
        } catch (AssertionError e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /**
     * @param http what stands in {@code http { … }}
     * @param ports that it opens
     */
    static ProxyProgram nginx(Path folder, String http, List<Integer> ports) throws Exception {
        String paths =
                List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi").stream()
                        .map(name -> name + "_temp_path " + folder.resolve(name) + ";\n")
                        .reduce("", String::concat);
        Path file =
                Files.writeString(
                        folder.resolve("nginx.conf"),
                        "daemon off;\nmaster_process off;\npid %s/nginx.pid;\n".formatted(folder)
                                + "error_log stderr warn;\nevents {}\n"
                                + "http {\naccess_log off;\n"
                                + paths
                                + http
                                + "}\n");
        return new ProxyProgram(
                folder,
                ports,
                List.of(
                        "/usr/sbin/nginx",
                        "-e",
                        "stderr",
                        "-p",
                        folder.toString(),
                        "-c",
                        file.toString()));
    }

    /**
     * @param sections of the configuration, from {@code defaults} on
     * @param ports that it opens
     */
    static ProxyProgram haproxy(Path folder, String sections, List<Integer> ports)
            throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("haproxy.cfg"),
                        "global\n    stats socket " + statistics(folder) + "\n\n" + sections);
        return new ProxyProgram(
                folder, ports, List.of("/usr/sbin/haproxy", "-db", "-f", file.toString()));
    }

    /**
     * @param sites of the Caddyfile
     * @param ports that it opens
     */
    static ProxyProgram caddy(Path folder, String sites, List<Integer> ports) throws Exception {
        Path file =
                Files.writeString(folder.resolve("Caddyfile"), "{\n    admin off\n}\n\n" + sites);
        return new ProxyProgram(
                folder,
                ports,
                List.of(
                        "/usr/bin/env",
                        "XDG_CONFIG_HOME=" + folder,
                        "XDG_DATA_HOME=" + folder,
                        "/usr/bin/caddy",
                        "run",
                        "--adapter",
                        "caddyfile",
                        "--config",
                        file.toString()));
    }

    /**
     * @param vcl the whole configuration
     * @param port that it opens
     */
    static ProxyProgram varnish(Path folder, String vcl, int port) throws Exception {
        Path file = Files.writeString(folder.resolve("touchline.vcl"), vcl);
        return new ProxyProgram(
                folder,
                List.of(port),
                List.of(
                        "/usr/sbin/varnishd",
                        "-F",
                        // Without users of its own, and with a small cache.
                        "-j",
                        "none",
                        "-n",
                        folder.resolve("varnish").toString(),
                        "-a",
                        "127.0.0.1:" + port,
                        "-f",
                        file.toString(),
                        "-s",
                        "malloc,64m"));
    }

    /** The socket on which HAProxy answers questions. */
    static Path statistics(Path folder) {
        return folder.resolve("haproxy.sock");
    }

    /** Its answer; empty while HAProxy does not listen yet. */
    static String ask(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.write(ByteBuffer.wrap("show stat\n".getBytes(StandardCharsets.US_ASCII)));
            return new String(
                    Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
        } catch (SocketException _) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int freePort() throws IOException {
        return FreePorts.next();
    }

    private static boolean isOpen(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
