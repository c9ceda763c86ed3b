package touchline.api.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import touchline.config.OtelConfig;
import touchline.testing.Await;

/** Traces against a receiver, and against receivers that do not work. */
final class TracingIT {
    private static final String CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String UNSAMPLED =
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

    private static OtelConfig config(URI endpoint, double ratio) {
        return new OtelConfig(
                Optional.of(endpoint),
                "north-stand",
                Map.of("region", "eu"),
                Map.of("Authorization", "Bearer abc"),
                ratio);
    }

    @Test
    void withoutEndpoint_tracesAreOff() {
        assertSame(Tracing.OFF, Tracing.open(OtelConfig.OFF));
        assertFalse(Tracing.OFF.isOn());
        assertSame(Span.NONE, Tracing.OFF.start(Tracing.Kind.JOB, "job"));
        assertSame(Span.NONE, Span.NONE.child("run").put("a", 1).put("b", "c"));
        assertTrue(Span.NONE.traceparent().isEmpty());
    }

    @Test
    void spans_reachTheReceiverWithTheirParentsAndAttributes() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver()) {
            Instant due = Instant.now().minusSeconds(3);
            String header;
            try (Tracing tracing = Tracing.open(config(receiver.address(), 1))) {
                try (Span request =
                        tracing.start(Tracing.Kind.REQUEST, "GET /x", Optional.of(CALLER))) {
                    request.put("http.response.status_code", 503).failed("503");
                    header = request.traceparent().orElseThrow();
                }
                try (Span job = tracing.start(Tracing.Kind.JOB, "job clip", due)) {
                    job.child("queued", due).close();
                    job.child("run").put("text", "y").close();
                }
            }

            // A first export may outlast the time that the close gives it.
            Await.until(() -> receiver.spans.size() == 4, receiver.spans::toString);
            TraceReceiver.Received request = receiver.named("GET /x").getFirst();
            assertEquals("0af7651916cd43dd8448eb211c80319c", request.trace());
            assertEquals("b7ad6b7169203331", request.parent());
            assertEquals("SERVER", request.kind());
            assertTrue(request.failed());
            assertEquals(
                    Map.of("http.response.status_code", "503", "error.type", "503"),
                    request.attributes());
            assertEquals("00-" + request.trace() + "-" + request.id() + "-01", header);
            assertEquals("north-stand", request.resource().get("service.name"));
            assertEquals("eu", request.resource().get("region"));
            assertEquals("Bearer abc", receiver.authorizations.getFirst());

            TraceReceiver.Received job = receiver.named("job clip").getFirst();
            TraceReceiver.Received queued = receiver.child(job, "queued").orElseThrow();
            TraceReceiver.Received run = receiver.child(job, "run").orElseThrow();
            assertEquals("", job.parent());
            assertEquals(job.startNs(), queued.startNs());
            assertTrue(Duration.ofNanos(queued.endNs() - queued.startNs()).toMillis() >= 3_000);
            assertTrue(run.startNs() >= queued.endNs());
            assertEquals(Map.of("text", "y"), run.attributes());
        }
    }

    @Test
    void sampling_ofZero_sendsOnlyWhatTheCallerSamples() throws Exception {
        try (TraceReceiver receiver = new TraceReceiver()) {
            try (Tracing tracing = Tracing.open(config(receiver.address(), 0))) {
                tracing.start(Tracing.Kind.REQUEST, "own").close();
                tracing.start(Tracing.Kind.REQUEST, "bad", Optional.of("00-zz")).close();
                tracing.start(Tracing.Kind.REQUEST, "no", Optional.of(UNSAMPLED)).close();
                tracing.start(Tracing.Kind.REQUEST, "yes", Optional.of(CALLER)).close();
            }

            Await.until(() -> !receiver.spans.isEmpty());
            assertEquals(
                    List.of("yes"),
                    receiver.spans.stream().map(TraceReceiver.Received::name).toList());
        }
    }

    /** It accepts connections and never answers. */
    @Test
    void receiverThatHangs_slowsNothingAndTheEnd_takesTwoSeconds() throws Exception {
        try (ServerSocket hangs =
                new ServerSocket(
                        /* port= */ 0, /* backlog= */ 50, InetAddress.getLoopbackAddress())) {
            Tracing tracing =
                    Tracing.open(config(URI.create("http://127.0.0.1:" + hangs.getLocalPort()), 1));
            long startNs = System.nanoTime();
            // More than the queue holds.
            for (int i = 0; i < 10_000; i++) {
                tracing.start(Tracing.Kind.REQUEST, "call").put("n", i).close();
            }
            long callsMs = Duration.ofNanos(System.nanoTime() - startNs).toMillis();
            startNs = System.nanoTime();
            tracing.close();
            long closeMs = Duration.ofNanos(System.nanoTime() - startNs).toMillis();

            assertTrue(callsMs < 5_000, callsMs + " ms for the spans");
            assertTrue(closeMs < 4_000, closeMs + " ms to close");
        }
    }
}
