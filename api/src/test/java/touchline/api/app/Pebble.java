package touchline.api.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import touchline.media.net.FreePorts;
import touchline.testing.SelfSigned;

/** The ACME server that Let's Encrypt has for tests, with its own authority. */
final class Pebble implements AutoCloseable {
    private final int port = FreePorts.next();
    private final Path config;
    private final Path log;
    private final Path certificate;
    private Process process;

    /**
     * @param httpPort where it looks for answers to HTTP-01
     * @param tlsPort where it looks for answers to TLS-ALPN-01
     * @param validity of its certificates
     */
    Pebble(Path folder, int httpPort, int tlsPort, Duration validity) throws Exception {
        SelfSigned own = SelfSigned.make(folder, "pebble", "localhost");
        certificate = own.cert();
        log = folder.resolve("pebble.log");
        config =
                Files.writeString(
                        folder.resolve("pebble.json"),
                        """
                        {"pebble": {"listenAddress": "127.0.0.1:%d", "managementListenAddress": "",
                          "certificate": "%s", "privateKey": "%s", "httpPort": %d, "tlsPort": %d,
                          "ocspResponderURL": "", "externalAccountBindingRequired": false,
                          "certificateValidityPeriod": %d}}
                        """
                                .formatted(
                                        port,
                                        own.cert(),
                                        own.key(),
                                        httpPort,
                                        tlsPort,
                                        validity.toSeconds()));
        process = started();
    }

    private Process started() throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("pebble", "-config", config.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("PEBBLE_VA_NOSLEEP", "1");
        // Each order has to be proved anew.
        builder.environment().put("PEBBLE_AUTHZREUSE", "0");
        Process started = builder.start();
        TestServer.await("pebble listens", Duration.ofSeconds(20), this::listens);
        return started;
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException _) {
            return false;
        }
    }

    String directory() {
        return "https://localhost:" + port + "/dir";
    }

    /** Trusted for the directory itself; its authority has another one. */
    Path certificate() {
        return certificate;
    }

    String output() throws IOException {
        return Files.readString(log);
    }

    void stop() {
        process.destroyForcibly().onExit().join();
    }

    /** A new authority, without accounts. */
    void startAgain() throws IOException, InterruptedException {
        process = started();
    }

    @Override
    public void close() {
        stop();
    }
}
