package touchline.benchmarks.clients;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Generates clients from the OpenAPI document that a server serves, compiles them, and runs a live
 * stream's life through each: streams, settings, a recording, a clip, transcoding, webhooks, keys.
 */
public final class ClientCheck implements Benchmark {
    private static final long RECORDED_MS = 6_000;
    private static final long POLL_MS = 100;
    private static final int READY_POLLS = 300;
    private static final double NS_PER_SECOND = 1e9;

    private final String only;
    private final Report report;

    /** One generator's name; all by default. */
    public ClientCheck(Arguments given, Report report) {
        only = given.text(0, "");
        this.report = report;
    }

    /** Returns 0 if every client works. */
    @Override
    public int run() throws Exception {
        List<GeneratedClient> clients =
                List.of(GeneratedClient.values()).stream()
                        .filter(client -> only.isEmpty() || client.title().equals(only))
                        .toList();
        if (clients.isEmpty()) {
            report.note("unknown generator '%s'", only);
            return 2;
        }
        Path work = report.folder().toAbsolutePath().normalize().resolve("clients");
        Map<String, String> settings =
                Map.of(
                        "TOUCHLINE_EGRESS_ALLOW",
                        "127.0.0.0/8",
                        "TOUCHLINE_STORAGE_FILE_ROOT",
                        work.resolve("stored").toString());
        try (TouchlineServer server = TouchlineServer.startFromClassPath(settings)) {
            LiveAddress recorded = recorded(server);
            ClientTools tools =
                    new ClientTools(
                            work,
                            Map.of(
                                    "API", server.api().toString(),
                                    "TOKEN", TouchlineServer.TOKEN,
                                    "STREAM", recorded.id(),
                                    "ASSET", asset(server, recorded)));
            Files.writeString(tools.document(), server.text("/openapi"));
            Report.Table table =
                    report.table(
                            "clients",
                            "generator | lines | generate (s) | compile (s) | life (s) | result");
            boolean all = true;
            for (GeneratedClient client : clients) {
                all &= check(client, tools, table);
            }
            return all ? 0 : 1;
        }
    }

    /** A step of a client. */
    private interface Step {
        void run(ClientTools tools, Path folder) throws IOException, InterruptedException;
    }

    private boolean check(GeneratedClient client, ClientTools tools, Report.Table table)
            throws InterruptedException, IOException {
        Path folder = tools.folder(client);
        double[] seconds = new double[3];
        String result = "works";
        try {
            seconds[0] = timed(client::generate, tools, folder);
            seconds[1] = timed(client::compile, tools, folder);
            seconds[2] = timed(client::live, tools, folder);
        } catch (IOException e) {
            report.note("%s: %s", client.title(), String.valueOf(e.getMessage()));
            result = "fails";
        }
        long lines = GeneratedClient.lines(folder);
        table.row(client.title(), lines, seconds[0], seconds[1], seconds[2], result);
        report.note("%s %s", client.title(), result);
        return result.equals("works");
    }

    private static double timed(Step step, ClientTools tools, Path folder)
            throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        step.run(tools, folder);
        return (System.nanoTime() - startNs) / NS_PER_SECOND;
    }

    private static LiveAddress recorded(TouchlineServer server) throws Exception {
        LiveAddress stream = server.stream("{\"record\": true, \"reconnect_window\": 0}");
        try (Senders senders =
                Senders.start(List.of(stream), CameraSource.SMALL.media(RECORDED_MS / 1_000))) {
            TimeUnit.MILLISECONDS.sleep(RECORDED_MS);
            senders.requireAlive();
        }
        return stream;
    }

    private static String asset(TouchlineServer server, LiveAddress stream) throws Exception {
        String list = "/video-streams/v1/assets?live_stream_id=" + stream.id();
        for (int poll = 0; poll < READY_POLLS; poll++) {
            JsonNode asset = server.get(list).path(0);
            if (asset.path("status").asText().equals("ready")
                    && !asset.path("is_live").asBoolean()) {
                return asset.path("asset_id").asText();
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        throw new IOException("the recording is not ready: " + server.get(list));
    }
}
