package touchline.api.http;

import io.helidon.common.buffers.DataReader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one request in HTTP/1.0, as those of a request in HTTP/1.1 that closes its
 * connection: first the head, then the body, then the end. Source: RFC 9112, 2.3, 6.1 and 9.3. One
 * thread.
 */
final class Http10Request implements Supplier<byte @Nullable []> {
    /** Between the connection's two ends only, or not defined for HTTP/1.0. */
    private static final Set<String> DROPPED =
            Set.of(
                    "connection",
                    "proxy-connection",
                    "keep-alive",
                    "upgrade",
                    "http2-settings",
                    "te",
                    "expect");

    private final DataReader connection;
    private final int maxHeadBytes;
    private final String host;

    private boolean headIsRead;
    private long bodyBytes;

    /**
     * @param connection at the start of the request
     * @param maxHeadBytes of the request line and all headers
     * @param host for a request without the header Host
     */
    Http10Request(DataReader connection, int maxHeadBytes, String host) {
        this.connection = connection;
        this.maxHeadBytes = maxHeadBytes;
        this.host = host;
    }

    @Override
    public byte @Nullable [] get() {
        try {
            if (!headIsRead) {
                headIsRead = true;
                return head().getBytes(StandardCharsets.ISO_8859_1);
            }
            if (bodyBytes == 0) {
                return null;
            }
            connection.ensureAvailable();
            byte[] bytes = connection.readBytes((int) Math.min(connection.available(), bodyBytes));
            bodyBytes -= bytes.length;
            return bytes;
        } catch (DataReader.InsufficientDataAvailableException _) {
            return null;
        }
    }

    private String head() {
        StringBuilder head = new StringBuilder(line().replaceFirst(" HTTP/1\\.0$", " HTTP/1.1"));
        head.append("\r\n");
        boolean hasHost = false;
        boolean dropped = false;
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (head.length() > maxHeadBytes) {
                // The web server rejects a head of this length; the rest is not needed for that.
                return head.toString();
            }
            boolean goesOn = line.startsWith(" ") || line.startsWith("\t");
            String name = line.substring(0, Math.max(0, line.indexOf(':')));
            dropped = goesOn ? dropped : DROPPED.contains(name.toLowerCase(Locale.ROOT));
            hasHost |= name.equalsIgnoreCase("Host");
            if (!dropped) {
                head.append(framed(name, line)).append("\r\n");
            }
        }
        if (!hasHost) {
            head.append("Host: ").append(host).append("\r\n");
        }
        return head.append("Connection: close\r\n\r\n").toString();
    }

    /** Notes the length of the body; the web server checks the header itself. */
    private String framed(String name, String line) {
        if (name.equalsIgnoreCase("Content-Length")) {
            String value = line.substring(name.length() + 1).strip();
            bodyBytes = value.matches("\\d{1,18}") ? Long.parseLong(value) : 0;
        }
        // HTTP/1.0 has no chunks: without its colon the line is refused.
        return name.equalsIgnoreCase("Transfer-Encoding") ? name : line;
    }

    /** A line without its end. */
    private String line() {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte next = connection.read();
        while (next != '\n' && line.size() <= maxHeadBytes) {
            line.write(next);
            next = connection.read();
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
