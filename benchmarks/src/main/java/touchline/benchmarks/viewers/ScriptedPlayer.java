package touchline.benchmarks.viewers;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.LowLatencyPlaylist;

/**
 * Plays a live stream as a player does: the playlist, then each new segment once, then waits. A
 * virtual thread runs it; {@link #leave} and the times may be called by any.
 */
final class ScriptedPlayer implements Runnable {
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final int SEGMENTS_AT_START = 2;
    private static final int TIMEOUT_MS = 30_000;

    /** How a player shows which it is. */
    enum Kind {
        /** CMCD in the query; ten addresses for all. */
        QUERY,
        /** CMCD in headers; an address of its own. */
        HEADERS,
        /** No CMCD; an address of its own. */
        ALONE,
        /** No CMCD; five have one address, each with its own user agent. */
        DIFFERENT,
        /** No CMCD; five have one address and one user agent. */
        ALIKE
    }

    private final Kind kind;
    private final URI media;
    private final String from;
    private final String agent;
    private final String sid = UUID.randomUUID().toString();

    private volatile boolean left;

    /** {@link System#nanoTime} of the last request that was sent; 0 before the first. */
    private volatile long askedNs;

    private volatile boolean failed;

    /**
     * @param media address of the media playlist
     * @param number of this player: its address and user agent follow from it
     */
    ScriptedPlayer(Kind kind, URI media, int number) {
        this.kind = kind;
        this.media = media;
        from =
                switch (kind) {
                    case QUERY -> "127.0.1." + (1 + number % 10);
                    case HEADERS, ALONE -> address(10, number);
                    case DIFFERENT -> address(11, number / 25);
                    case ALIKE -> address(12, number / 25);
                };
        agent = kind == Kind.DIFFERENT ? "player " + number : "player";
    }

    private static String address(int network, int host) {
        return "127.%d.%d.%d".formatted(network, host / 250, 1 + host % 250);
    }

    /** Ends after the request that runs. */
    void leave() {
        left = true;
    }

    /** Whether a request was sent since this moment. */
    boolean askedSince(long ns) {
        long asked = askedNs;
        return asked != 0 && asked - ns >= 0;
    }

    boolean hasFailed() {
        return failed;
    }

    @Override
    public void run() {
        long next = -1;
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
            socket.setSoTimeout(TIMEOUT_MS);
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(media.getHost(), media.getPort()));
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 14);
            while (!left) {
                String text = get(socket, in, media, "ot=m");
                LowLatencyPlaylist playlist = LowLatencyPlaylist.parse(text, media);
                var segments = playlist.segments();
                for (int i = Math.max(0, segments.size() - SEGMENTS_AT_START);
                        i < segments.size() && !left;
                        i++) {
                    if (segments.get(i).mediaSequence() >= next) {
                        next = segments.get(i).mediaSequence() + 1;
                        get(socket, in, segments.get(i).address(), "br=300,d=4000,ot=av");
                    }
                }
                LockSupport.parkNanos(POLL_NS);
            }
        } catch (IOException e) {
            failed = true;
        }
    }

    private String get(Socket socket, InputStream in, URI address, String report)
            throws IOException {
        StringBuilder request = new StringBuilder(400);
        request.append("GET ").append(address.getRawPath());
        if (kind == Kind.QUERY) {
            request.append("?CMCD=")
                    .append(report.replace("=", "%3D").replace(",", "%2C"))
                    .append("%2Csid%3D%22")
                    .append(sid)
                    .append("%22");
        }
        request.append(" HTTP/1.1\r\nHost: ").append(media.getHost());
        request.append("\r\nUser-Agent: ").append(agent).append("\r\n");
        if (kind == Kind.HEADERS) {
            request.append("CMCD-Session: sid=\"").append(sid).append("\",st=l\r\n");
            request.append("CMCD-Object: ").append(report).append("\r\n");
        }
        request.append("\r\n");
        // Counted from here on: the server has it a moment later.
        askedNs = System.nanoTime();
        socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
        return new String(body(in), StandardCharsets.ISO_8859_1);
    }

    private static byte[] body(InputStream in) throws IOException {
        return in.readNBytes((int) HttpConnection.contentLength(head(in)));
    }

    /** The head of a reply, which must have status 200. */
    static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder(512);
        while (head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
            int c = in.read();
            if (c < 0) {
                throw new EOFException("the server closed the connection");
            }
            head.append((char) c);
        }
        if (!head.toString().startsWith("HTTP/1.1 200 ")) {
            throw new IOException(head.toString());
        }
        return head.toString();
    }
}
