package touchline.api.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.certificate.Certificates;
import touchline.api.db.MemoryDatabase;
import touchline.api.home.HomeCounters;
import touchline.api.trace.TraceReceiver;
import touchline.api.trace.TraceReceiver.Received;
import touchline.config.TlsConfig;
import touchline.media.tls.CurrentCertificate;
import touchline.packager.edge.EdgeCounters;
import touchline.testing.SelfSigned;

/** The metrics, alerts, board and traces of a running server. */
final class ObservabilityIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z_0-9]+)` \\|.*");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)}}");
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00f067aa0ba902b7";

    @TempDir private static Path folder;
    private static TraceReceiver receiver;
    private static HttpServer client;
    private static final List<String> traceparents = new CopyOnWriteArrayList<>();
    private static TestServer server;

    @BeforeAll
    static void start() throws IOException {
        receiver = new TraceReceiver();
        client = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        client.createContext("/hook", ObservabilityIT::take);
        client.start();
        server =
                TestServer.start(
                        Files.createDirectories(folder.resolve("data")),
                        Map.of(
                                "TOUCHLINE_OTEL_ENDPOINT", receiver.address().toString(),
                                "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8",
                                "TOUCHLINE_STORAGE_FILE_ROOT", folder.resolve("vod").toString()));
    }

    @AfterAll
    static void stop() {
        server.close();
        client.stop(0);
        receiver.close();
    }

    private static void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            traceparents.add(String.valueOf(exchange.getRequestHeaders().getFirst("traceparent")));
            exchange.getRequestBody().readAllBytes();
            boolean fails = exchange.getRequestURI().getPath().contains("/fails");
            exchange.sendResponseHeaders(fails ? 500 : 204, -1);
        }
    }

    private static URI hook(String path) {
        return URI.create("http://127.0.0.1:" + client.getAddress().getPort() + "/hook" + path);
    }

    @Test
    void call_isASpanOfItsCallersTrace() throws Exception {
        String path = "/live/v1/live-streams?limit=1&token=very-secret";
        HttpRequest request =
                HttpRequest.newBuilder(server.api(path))
                        .header("Authorization", "Bearer " + server.token())
                        .header("traceparent", "00-" + TRACE + "-" + PARENT + "-01")
                        .build();
        HttpResponse<String> reply;
        try (HttpClient http = HttpClient.newHttpClient()) {
            reply = http.send(request, HttpResponse.BodyHandlers.ofString());
        }

        Received span = await("GET /live/v1/live-streams");
        assertEquals(200, reply.statusCode());
        assertEquals(TRACE, span.trace());
        assertEquals(PARENT, span.parent());
        assertEquals("SERVER", span.kind());
        assertFalse(span.failed());
        assertEquals(
                new TreeMap<>(
                        Map.of(
                                "http.request.method",
                                "GET",
                                "http.route",
                                "/live/v1/live-streams",
                                "http.response.status_code",
                                "200",
                                "touchline.request_id",
                                reply.headers().firstValue("X-Request-Id").orElseThrow())),
                span.attributes());
        assertEquals("touchline", span.resource().get("service.name"));
        assertTrue(receiver.spans.stream().noneMatch(each -> each.name().contains("/observe")));
        assertTrue(receiver.spans.stream().noneMatch(each -> each.toString().contains("secret")));
    }

    @Test
    void delivery_isASpanWhoseTraceTheReceiverIsSent() throws Exception {
        server.call(
                "POST",
                "/system/v1/webhooks",
                "{\"url\": \"%s\", \"events\": [\"live_stream.created\"]}"
                        .formatted(hook("/fails?key=very-secret")),
                200);
        server.createStream("{}");

        Received span = await("webhook live_stream.created");
        assertEquals("CLIENT", span.kind());
        assertTrue(span.failed());
        assertEquals("500", span.attributes().get("http.response.status_code"));
        assertEquals("1", span.attributes().get("touchline.delivery.attempt"));
        assertEquals("127.0.0.1", span.attributes().get("server.address"));
        assertFalse(span.attributes().toString().contains("secret"), span::toString);
        // The flags: sampled, and perhaps "the trace id is random" (Trace Context Level 2).
        String header = "00-" + span.trace() + "-" + span.id() + "-0[13]";
        assertTrue(
                traceparents.stream().anyMatch(each -> each.matches(header)),
                traceparents::toString);
    }

    @Test
    void job_isASpanWithItsTimeInTheQueueAndItsRun() throws Exception {
        String storage =
                server.call(
                                "POST",
                                "/vodencoding/v1/add_storage",
                                "{\"type\": \"file\", \"bucket\": \"archive\", \"notify\": \"%s\"}"
                                        .formatted(hook("/done")),
                                200)
                        .at("/data/storage_id")
                        .asText();
        server.call(
                "POST",
                "/vodencoding/v1/tasks",
                "{\"storage_id\": \"%s\", \"input\": \"%s\", \"outputs\": [{\"format\": \"mp4\"}]}"
                        .formatted(storage, hook("/fails/none.mp4")),
                202);

        Received job = await("job transcoding");
        assertEquals("INTERNAL", job.kind());
        assertEquals("transcoding", job.attributes().get("touchline.job.kind"));
        assertEquals("0", job.attributes().get("touchline.job.failures"));
        Received queued = receiver.child(job, "queued").orElseThrow();
        Received run = receiver.child(job, "run").orElseThrow();
        assertEquals(job.startNs(), queued.startNs());
        assertTrue(run.startNs() >= queued.startNs() && run.endNs() <= job.endNs());
    }

    private static Received await(String name) throws InterruptedException {
        TestServer.await(name, SOON, () -> !receiver.named(name).isEmpty());
        return receiver.named(name).getFirst();
    }

    @Test
    void series_ofAlertsAndBoard_areMetricsOfTheServer() throws Exception {
        Observed metrics = metrics();
        List<String> unknown = new ArrayList<>();
        for (JsonNode rule : DeployFiles.alerts()) {
            unknown.addAll(metrics.unknown(rule.path("expr").asText()));
        }
        for (JsonNode panel : DeployFiles.panels()) {
            for (JsonNode target : panel.path("targets")) {
                String expression = target.path("expr").asText();
                unknown.addAll(metrics.unknown(expression));
                Matcher legend = LEGEND.matcher(target.path("legendFormat").asText());
                while (legend.find()) {
                    String label = legend.group(1);
                    boolean known =
                            label.equals("instance")
                                    || metrics.labels().entrySet().stream()
                                            .anyMatch(
                                                    series ->
                                                            expression.contains(series.getKey())
                                                                    && series.getValue()
                                                                            .contains(label));
                    if (!known) {
                        unknown.add(expression + " has no " + label);
                    }
                }
            }
        }

        assertEquals(List.of(), unknown);
    }

    @Test
    void metrics_areAllDocumented() throws Exception {
        TreeSet<String> documented = new TreeSet<>();
        Path page = DeployFiles.repository().resolve("docs/metrics.md");
        for (String line : Files.readAllLines(page)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                documented.add(row.group(1));
            }
        }
        TreeSet<String> served = new TreeSet<>(metrics().families());
        TreeSet<String> undocumented = new TreeSet<>(served);
        undocumented.removeAll(documented);
        // The collector's pauses are there after the first one.
        documented.removeIf(name -> !name.startsWith("touchline_"));
        documented.removeAll(served);

        assertEquals(new TreeSet<>(), undocumented, "not in docs/metrics.md");
        assertEquals(new TreeSet<>(), documented, "only in docs/metrics.md");
    }

    private static Observed metrics() throws Exception {
        // So that there is a request to count.
        server.get(server.api("/observe/health/live"));
        String page = server.get(server.api("/observe/metrics")).body() + furtherMetrics();
        assertEquals(List.of(), MetricRules.faults(page));
        return Observed.of(page);
    }

    /** Those that a server has with TLS and S3, and as a node of a cluster. */
    private static String furtherMetrics() throws Exception {
        SelfSigned pair = SelfSigned.make(folder, "tls", "localhost");
        TlsConfig tls =
                new TlsConfig(OptionalInt.of(1), Optional.of(pair.cert()), Optional.of(pair.key()));
        CurrentCertificate current =
                CurrentCertificate.ofFiles(tls.cert(), tls.key()).orElseThrow();
        PrometheusMeterRegistry registry = HostMeters.registry();
        try (Certificates certificates = Certificates.of(current, Clock.systemUTC())) {
            CertificateMeters.bind(registry, certificates, tls);
            S3Meters.bind(registry, new HomeCounters());
            ClusterMeters.bind(registry, MemoryDatabase.HEARTBEATS, () -> 0, () -> 0);
            ClusterMeters.bindClock(registry, server, _ -> Optional.empty());
            ClusterMeters.bindCalls(registry, registry, _ -> 0, _ -> 0);
            ServerEdge.bind(registry, new EdgeCounters(), () -> 0, () -> 0);
            return registry.scrape();
        } finally {
            registry.close();
        }
    }

    @Test
    void alerts_passTheirTests() throws Exception {
        promtool("check", "rules", "alerts.yaml");
        promtool("check", "config", "--syntax-only", "prometheus.yaml");
        promtool("test", "rules", "alerts.test.yaml");
    }

    private static void promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("promtool.log");
        Process process =
                new ProcessBuilder(command)
                        .directory(DeployFiles.at("prometheus").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertTrue(
                    process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS),
                    () -> command + " does not end");
            assertEquals(0, process.exitValue(), Files.readString(output, UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }
}
