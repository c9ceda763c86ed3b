package touchline.api.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Viewers on kept-alive connections that send the same request at the same time. They share the
 * processor with the server, so they read only status and Content-Length of a response. One thread,
 * which waits without limit: the launcher limits the process.
 */
final class AotTrainingViewers implements AutoCloseable {
    private static final int HEAD_BYTES = 4096;
    private static final Pattern HEAD =
            Pattern.compile(
                    "HTTP/1\\.1 (\\d{3}) .*?\\r\\ncontent-length: (\\d+).*?\\r\\n\\r\\n",
                    Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

    private final List<SocketChannel> viewers = new ArrayList<>();
    private final ByteBuffer input = ByteBuffer.allocateDirect(1 << 16);

    private AotTrainingViewers() {}

    /**
     * @throws UncheckedIOException if the server does not accept so many connections
     */
    static AotTrainingViewers connect(int port, int count) {
        AotTrainingViewers audience = new AotTrainingViewers();
        try {
            for (int i = 0; i < count; i++) {
                audience.viewers.add(
                        SocketChannel.open(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
            }
            return audience;
        } catch (IOException e) {
            audience.close();
            throw new UncheckedIOException("connection " + audience.viewers.size(), e);
        }
    }

    /** Sends one request. Returns the body of a 200, or empty. */
    Optional<String> ask(URI what) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        return ask(what, 1, body) == 0 ? Optional.empty() : Optional.of(body.toString(UTF_8));
    }

    /**
     * Sends a request on some connections and reads all answers.
     *
     * @return number of answers with status 200
     */
    int ask(URI what, int count) {
        return ask(what, count, OutputStream.nullOutputStream());
    }

    private int ask(URI what, int count, OutputStream bodies) {
        String path =
                what.getRawPath() + (what.getRawQuery() == null ? "" : "?" + what.getRawQuery());
        byte[] request =
                "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n"
                        .formatted(path, what.getRawAuthority())
                        .getBytes(ISO_8859_1);
        List<SocketChannel> asking = viewers.subList(0, Math.min(count, viewers.size()));
        try {
            for (SocketChannel viewer : asking) {
                viewer.write(ByteBuffer.wrap(request));
            }
            int served = 0;
            for (SocketChannel viewer : asking) {
                served += answer(viewer, bodies) == 200 ? 1 : 0;
            }
            return served;
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    /** Reads one answer to its end. Returns its status. */
    private int answer(SocketChannel viewer, OutputStream body) throws IOException {
        input.clear();
        Matcher head;
        do {
            read(viewer);
            byte[] start = new byte[Math.min(HEAD_BYTES, input.position())];
            input.get(0, start);
            head = HEAD.matcher(new String(start, ISO_8859_1));
        } while (!head.lookingAt());
        long restBytes = Long.parseLong(head.group(2)) - pass(head.end(), body);
        while (restBytes > 0) {
            input.clear();
            read(viewer);
            restBytes -= pass(0, body);
        }
        return Integer.parseInt(head.group(1));
    }

    /** Writes the read bytes from an offset on. Returns their number. */
    private int pass(int from, OutputStream body) throws IOException {
        byte[] bytes = new byte[input.position() - from];
        input.get(from, bytes);
        body.write(bytes);
        return bytes.length;
    }

    private void read(SocketChannel viewer) throws IOException {
        if (viewer.read(input) < 0) {
            throw new IOException("closed by the server");
        }
    }

    @Override
    public void close() {
        for (SocketChannel viewer : viewers) {
            try {
                viewer.close();
            } catch (IOException _) {
                // The connection is closed in either case.
            }
        }
    }
}
