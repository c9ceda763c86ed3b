package touchline.benchmarks.viewers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import touchline.benchmarks.load.HttpConnection;

/** Requests for media, each with another CMCD session, as fast as they are answered. */
final class ForgedSessions {
    private static final int CONNECTIONS = 8;
    private static final int AT_ONCE = 32;

    private ForgedSessions() {}

    /**
     * @param media a small answer with media of the stream
     * @param sessions of all connections together
     */
    static void send(URI media, int sessions) throws IOException, InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            int each = sessions / CONNECTIONS;
            for (int i = 0; i < CONNECTIONS; i++) {
                int first = i * each;
                all.add(
                        threads.submit(
                                () -> {
                                    send(media, first, each);
                                    return first;
                                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    private static void send(URI media, int first, int sessions) throws IOException {
        try (Socket socket = new Socket(media.getHost(), media.getPort())) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            OutputStream out = socket.getOutputStream();
            for (int sent = 0; sent < sessions; sent += AT_ONCE) {
                StringBuilder requests = new StringBuilder(AT_ONCE * 200);
                for (int i = 0; i < AT_ONCE; i++) {
                    requests.append("GET ")
                            .append(media.getRawPath())
                            .append("?CMCD=ot%3Dav%2Csid%3D%22forged-0000-0000-0000-")
                            .append(first + sent + i)
                            .append("%22 HTTP/1.1\r\nHost: h\r\n\r\n");
                }
                out.write(requests.toString().getBytes(StandardCharsets.US_ASCII));
                for (int i = 0; i < AT_ONCE; i++) {
                    skipAnswer(in);
                }
            }
        }
    }

    private static void skipAnswer(InputStream in) throws IOException {
        in.skipNBytes(HttpConnection.contentLength(ScriptedPlayer.head(in)));
    }
}
