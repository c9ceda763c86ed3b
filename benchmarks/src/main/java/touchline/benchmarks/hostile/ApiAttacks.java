package touchline.benchmarks.hostile;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.TouchlineServer;

/** Attacks on the control API by HTTP/1.1. Any thread. */
final class ApiAttacks {
    private static final String STREAMS = "/live/v1/live-streams";
    private static final String STORAGES = "/vodencoding/v1/add_storage";
    private static final String HEALTH = "GET /observe/health/live HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String CLOSE = "\r\nConnection: close\r\n\r\n";
    private static final String AUTHORIZATION =
            "Authorization: Bearer " + TouchlineServer.TOKEN + "\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";

    private static final List<String> FRAMINGS =
            List.of(
                    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                    "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                    "Content-Length: 5\r\nContent-Length: 6\r\n",
                    "Content-Length: 5, 5\r\n",
                    "Content-Length: +5\r\n",
                    "Content-Length: 99999999999999999999\r\n",
                    "Transfer-Encoding: gzip, chunked\r\n",
                    "Transfer-Encoding: xchunked\r\n");

    private final URI api;
    private final URI silent;

    /**
     * @param silent an address that accepts connections and never replies
     */
    ApiAttacks(URI api, URI silent) {
        this.api = api;
        this.silent = silent;
    }

    List<Attack> all() {
        return List.of(
                Attack.of("bodies that never come", 1_100, 10_000, _ -> bodyThatNeverComes()),
                Attack.of("slow heads", 200, 10_000, _ -> slowHead()),
                Attack.of("silent connections", 200, 10_000, _ -> silentConnection()),
                Attack.of("quadratic JSON", 2, 200, this::quadraticJson),
                Attack.of("Idempotency-Key on a slow call", 12, 500, this::idempotencyKey),
                Attack.of("failed authentications", 8, 1_000, _ -> failedAuthentications()),
                Attack.of("request smuggling", 4, 500, this::smuggling),
                Attack.of("HTTP/2 without ALPN", 2, 500, this::h2c));
    }

    /** What ordinary clients do: for the warm-up. */
    List<Attack> ordinary() {
        return List.of(
                Attack.of(
                        "health on a new connection",
                        8,
                        100,
                        _ -> {
                            try (Connection connection = connect()) {
                                connection.send(HEALTH.replace("\r\n\r\n", CLOSE));
                                return connection.awaitEnd();
                            }
                        }));
    }

    private Connection connect() throws IOException {
        return Connection.tls(api, "http/1.1");
    }

    private String bodyThatNeverComes() throws IOException {
        try (Connection connection = connect()) {
            connection.send(post(STREAMS, JSON + "Content-Length: 100\r\n"));
            return connection.awaitEnd();
        }
    }

    private String slowHead() throws IOException, InterruptedException {
        try (Connection connection = connect()) {
            connection.send("GET /observe/health/live HTTP/1.1\r\nX: ");
            for (int i = 0; i < Connection.PATIENCE.toSeconds(); i++) {
                TimeUnit.SECONDS.sleep(1);
                if (!connection.drain()) {
                    return "closed";
                }
                connection.send("x");
            }
            return "open after " + Connection.PATIENCE.toSeconds() + " s";
        }
    }

    /** Not even a TLS handshake. */
    private String silentConnection() throws IOException {
        try (Connection connection = Connection.tcp(api)) {
            return connection.awaitEnd();
        }
    }

    /** A long name above many values; each second body is as large as the size limit lets in. */
    private String quadraticJson(int index) throws IOException {
        int levels = index % 2 == 0 ? 30 : 4;
        int values = index % 2 == 0 ? 19_000 : 500_000;
        String name = "n".repeat(250);
        StringBuilder body = new StringBuilder(("{\"" + name + "\":").repeat(levels));
        body.append("[1").append(",1".repeat(values)).append(']').append("}".repeat(levels));
        try (Connection connection = connect()) {
            connection.send(
                    post(
                                    STREAMS,
                                    "Connection: close\r\n"
                                            + JSON
                                            + "Content-Length: "
                                            + body.length()
                                            + "\r\n")
                            + body);
            return connection.awaitEnd();
        }
    }

    /** The server tries the storage before it answers. */
    private String idempotencyKey(int index) throws IOException {
        String body =
                """
                {"name": "slow", "type": "s3", "endpoint": "%s", "bucket": "b", "region": "r", \
                "storage_ak": "a", "storage_sk": "s", "notify": "%s"}\
                """
                        .formatted(silent, silent);
        try (Connection connection = connect()) {
            connection.send(
                    post(
                                    STORAGES,
                                    "Idempotency-Key: hostile-%d\r\nConnection: close\r\n"
                                                    .formatted(index)
                                            + JSON
                                            + "Content-Length: "
                                            + body.length()
                                            + "\r\n")
                            + body);
            return connection.awaitEnd();
        }
    }

    private String failedAuthentications() throws IOException {
        try (Connection connection = connect()) {
            String guess =
                    "GET %s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer admin.guess\r\n\r\n"
                            .formatted(STREAMS);
            connection.send(guess.repeat(30));
            return connection.awaitEnd();
        }
    }

    private String smuggling(int index) throws IOException {
        try (Connection connection = connect()) {
            connection.send(
                    post(STREAMS, FRAMINGS.get(index % FRAMINGS.size())) + "0\r\n\r\n" + HEALTH);
            return connection.awaitEnd();
        }
    }

    /** By preface, and by upgrade. */
    private String h2c(int index) throws IOException {
        try (Connection connection = connect()) {
            connection.send(
                    index % 2 == 0
                            ? "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
                            : "GET /observe/health/live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade,"
                                    + " HTTP2-Settings, close\r\nUpgrade: h2c\r\n"
                                    + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");
            return connection.awaitEnd();
        }
    }

    private static String post(String path, String headers) {
        return "POST " + path + " HTTP/1.1\r\nHost: a\r\n" + AUTHORIZATION + headers + "\r\n";
    }
}
