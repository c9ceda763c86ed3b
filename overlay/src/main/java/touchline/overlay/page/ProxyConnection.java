package touchline.overlay.page;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of the browser to its proxy: a tunnel (RFC 9110, 9.3.6: https and every
 * WebSocket), or one plain request. A plain connection is never reused, so that a second request
 * cannot reach the first one's server. Owned by its virtual thread.
 */
final class ProxyConnection {
    private static final Logger log = LoggerFactory.getLogger(ProxyConnection.class);
    private static final int HEAD_MS = 30_000;
    private static final int REPLY_MS = 60_000;
    private static final int COPY_BYTES = 16 << 10;

    private final FilteringProxy proxy;
    private final Socket client;
    private final InputStream from;
    private final OutputStream to;

    ProxyConnection(FilteringProxy proxy, Socket client) throws IOException {
        this.proxy = proxy;
        this.client = client;
        client.setTcpNoDelay(true);
        this.from = new BufferedInputStream(client.getInputStream(), COPY_BYTES);
        this.to = client.getOutputStream();
    }

    /** Serves until either side ends; the caller closes the client's socket. */
    void serve() throws IOException {
        client.setSoTimeout(HEAD_MS);
        Optional<HttpHead> head = HttpHead.read(from);
        if (head.isEmpty()) {
            return;
        }
        client.setSoTimeout(0);
        try {
            String[] words = head.get().firstLine().split(" ", -1);
            if (words.length != 3) {
                throw new ProxyRefusal(400, "invalid request line");
            }
            if (words[0].equals("CONNECT")) {
                tunnel(HostPort.parse(words[1], 443));
            } else {
                forward(head.get(), words);
            }
        } catch (ProxyRefusal e) {
            refuse(e);
        }
    }

    private void tunnel(HostPort target) throws IOException {
        Optional<InternalSite> site = proxy.site(target);
        if (site.isPresent()) {
            established();
            site.get().serve(proxy.streamId(), from, to);
            return;
        }
        Socket server = proxy.connect(target);
        try (server) {
            established();
            both(server, server.getInputStream(), () -> upload(server));
        } finally {
            proxy.unregister(server);
        }
    }

    private void established() throws IOException {
        to.write(
                "HTTP/1.1 200 Connection established\r\n\r\n"
                        .getBytes(StandardCharsets.ISO_8859_1));
    }

    /** RFC 9112, 3.2.2: the request line has the target; its host replaces the Host field. */
    private void forward(HttpHead head, String[] words) throws IOException {
        String address = words[1];
        if (!address.toLowerCase(Locale.ROOT).startsWith("http://")) {
            throw new ProxyRefusal(400, "only http works without a tunnel");
        }
        int start = "http://".length();
        int slash = address.indexOf('/', start);
        int query = address.indexOf('?', start);
        int end = slash < 0 ? query : query < 0 ? slash : Math.min(slash, query);
        String authority = end < 0 ? address.substring(start) : address.substring(start, end);
        String path = end < 0 ? "/" : address.substring(end);
        HostPort target = HostPort.parse(authority, 80);
        HttpHead request =
                head.withFirstLine(
                                "%s %s%s %s"
                                        .formatted(
                                                words[0],
                                                path.startsWith("/") ? "" : "/",
                                                path,
                                                words[2]))
                        .withoutHopByHopFields()
                        .with("Host", authority);
        long bodyBytes = bodyBytes(request);
        Optional<InternalSite> site = proxy.site(target);
        if (site.isPresent()) {
            InputStream all =
                    new SequenceInputStream(new ByteArrayInputStream(request.bytes()), from);
            site.get().serve(proxy.streamId(), all, to);
            return;
        }
        Socket server = proxy.connect(target);
        try (server) {
            OutputStream out = server.getOutputStream();
            out.write(request.bytes());
            copy(from, out, bodyBytes);
            reply(server);
        } finally {
            proxy.unregister(server);
        }
    }

    /**
     * @throws ProxyRefusal the body's length is missing or ambiguous
     */
    private static long bodyBytes(HttpHead request) throws ProxyRefusal {
        if (request.field("Transfer-Encoding").isPresent()) {
            throw new ProxyRefusal(411, "a request body needs Content-Length");
        }
        Optional<String> length = request.field("Content-Length");
        if (length.isPresent() && !length.get().matches("\\d{1,18}")) {
            throw new ProxyRefusal(400, "invalid Content-Length");
        }
        return length.map(Long::parseLong).orElse(0L);
    }

    private void reply(Socket server) throws IOException {
        server.setSoTimeout(REPLY_MS);
        InputStream replies = new BufferedInputStream(server.getInputStream(), COPY_BYTES);
        HttpHead head;
        do {
            head = HttpHead.read(replies).orElseThrow(() -> new ProxyRefusal(502, "no reply"));
        } while (head.firstLine().matches("HTTP/1\\.\\d 1\\d\\d.*"));
        server.setSoTimeout(0);
        to.write(head.withoutHopByHopFields().bytes());
        both(server, replies, () -> awaitEnd(server));
    }

    /** Copies both ways until either side ends: an aborted response is not read further. */
    private void both(Socket server, InputStream replies, Runnable upwards) throws IOException {
        Thread up = Thread.ofVirtual().name("page-upload-" + proxy.streamId()).start(upwards);
        try {
            copy(replies, to, Long.MAX_VALUE);
        } finally {
            server.close();
            client.close();
            join(up);
        }
    }

    private void upload(Socket server) {
        try (server) {
            copy(from, server.getOutputStream(), Long.MAX_VALUE);
        } catch (IOException e) {
            log.debug("stream={} upload: {}", proxy.streamId(), e.getMessage());
        }
    }

    /** After the request nothing more is read: any byte or the end closes the connection. */
    private void awaitEnd(Socket server) {
        try (server) {
            from.read();
        } catch (IOException e) {
            log.debug("stream={} request: {}", proxy.streamId(), e.getMessage());
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void copy(InputStream source, OutputStream target, long bytes) throws IOException {
        byte[] buffer = new byte[COPY_BYTES];
        long left = bytes;
        while (left > 0) {
            int count = source.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (count < 0 || !proxy.spend(count)) {
                return;
            }
            target.write(buffer, 0, count);
            left -= count;
        }
    }

    private void refuse(ProxyRefusal refusal) throws IOException {
        byte[] text = (refusal.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
        String head =
                String.join(
                        "\r\n",
                        "HTTP/1.1 " + refusal.status() + " Refused",
                        "Content-Type: text/plain; charset=utf-8",
                        "Content-Length: " + text.length,
                        "Connection: close",
                        "",
                        "");
        to.write(head.getBytes(StandardCharsets.ISO_8859_1));
        to.write(text);
    }
}
