package touchline.overlay.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Head of an HTTP/1.1 request or response (RFC 9112, 2.1): start line and unchanged field lines.
 * Immutable, any thread.
 */
record HttpHead(String firstLine, List<String> fields) {
    private static final int MAX_BYTES = 64 << 10;

    /** Fields of one connection, which a proxy does not forward (RFC 9110, 7.6.1). */
    private static final Set<String> HOP_BY_HOP =
            Set.of(
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "proxy-authorization",
                    "proxy-authenticate",
                    "te",
                    "trailer",
                    "upgrade");

    public HttpHead {
        fields = List.copyOf(fields);
    }

    /**
     * Reads up to the empty line and no byte beyond.
     *
     * @return empty if the stream ends before the first byte
     * @throws IOException the stream ends early, or the head is invalid
     */
    static Optional<HttpHead> read(InputStream from) throws IOException {
        List<String> lines = new ArrayList<>();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int total = 0; total < MAX_BYTES; total++) {
            int next = from.read();
            if (next < 0) {
                if (total == 0) {
                    return Optional.empty();
                }
                throw new IOException("head: ends after " + total + " bytes");
            }
            if (next != '\n') {
                line.write(next);
                continue;
            }
            String text = text(line);
            line.reset();
            if (!text.isEmpty()) {
                lines.add(text);
            } else if (!lines.isEmpty()) {
                return Optional.of(new HttpHead(lines.getFirst(), lines.subList(1, lines.size())));
            }
        }
        throw new IOException("head: > " + MAX_BYTES + " bytes");
    }

    /** The value of the first field of this name. */
    Optional<String> field(String name) {
        return fields.stream()
                .filter(field -> name(field).equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .map(HttpHead::value);
    }

    /** A copy with another first line. */
    HttpHead withFirstLine(String line) {
        return new HttpHead(line, fields);
    }

    /** A copy with exactly one field of this name. */
    HttpHead with(String name, String value) {
        List<String> others = new ArrayList<>(fields);
        others.removeIf(field -> name(field).equals(name.toLowerCase(Locale.ROOT)));
        others.add(name + ": " + value);
        return new HttpHead(firstLine, others);
    }

    /** A copy without hop-by-hop fields, for a connection that is used once. */
    HttpHead withoutHopByHopFields() {
        Set<String> dropped = new HashSet<>(HOP_BY_HOP);
        for (String field : fields) {
            if (name(field).equals("connection")) {
                for (String named : value(field).split(",", -1)) {
                    dropped.add(named.strip().toLowerCase(Locale.ROOT));
                }
            }
        }
        List<String> kept =
                fields.stream().filter(field -> !dropped.contains(name(field))).toList();
        return new HttpHead(firstLine, kept).with("Connection", "close");
    }

    byte[] bytes() {
        StringBuilder text = new StringBuilder(firstLine).append("\r\n");
        fields.forEach(field -> text.append(field).append("\r\n"));
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(ByteArrayOutputStream line) throws IOException {
        String text = line.toString(StandardCharsets.ISO_8859_1);
        String bare = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        // A server that accepts a bare CR as line end would see other fields.
        if (bare.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f)) {
            throw new IOException("head: a control character in a line");
        }
        return bare;
    }

    private static String name(String field) {
        int colon = field.indexOf(':');
        return (colon < 0 ? field : field.substring(0, colon)).toLowerCase(Locale.ROOT);
    }

    private static String value(String field) {
        return field.substring(field.indexOf(':') + 1).strip();
    }
}
