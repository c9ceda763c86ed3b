package touchline.benchmarks.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.s3.S3Process;

/** The S3 server of all nodes, behind a link that can be taken away. Any thread. */
final class SharedS3 implements AutoCloseable {
    private final S3Process server;
    private final FaultyLink link;

    private SharedS3(S3Process server) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        this.server = server;
        link =
                new FaultyLink(
                        new FaultyLink.Ends(
                                "S3",
                                new InetSocketAddress(loopback, 0),
                                new InetSocketAddress(loopback, server.port()),
                                new FaultyLink.Caller() {
                                    @Override
                                    public String name(Socket accepted) {
                                        return "";
                                    }

                                    @Override
                                    public InetAddress source(String name) {
                                        return loopback;
                                    }
                                }),
                        new Partition());
    }

    /** Starts an empty one; the caller closes it. */
    static SharedS3 start() throws IOException, InterruptedException {
        S3Process server = S3Process.start();
        try {
            return new SharedS3(server);
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /** Variables of a node. */
    Map<String, String> environment() {
        return S3Process.environment(endpoint());
    }

    /** Where nodes reach it. */
    URI endpoint() {
        return URI.create("http://127.0.0.1:" + link.port());
    }

    /** Its port refuses, and connections have ended. */
    void stop() {
        link.stop();
    }

    void restart() {
        link.acceptAgain();
    }

    /** See {@link S3Process#putSeconds}. */
    Samples putSeconds() throws IOException {
        return server.putSeconds();
    }

    /** See {@link S3Process#objects}. */
    Map<String, Set<Path>> objects(String prefix) throws IOException {
        return server.objects(prefix);
    }

    /** See {@link S3Process#newestNumbers}. */
    Map<String, Long> newestNumbers() throws IOException {
        return server.newestNumbers();
    }

    @Override
    public void close() throws IOException {
        link.close();
        server.close();
    }
}
