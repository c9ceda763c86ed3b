package touchline.api.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

/** An OpenTelemetry receiver on loopback: OTLP over HTTP in protobuf, as collectors speak it. */
public final class TraceReceiver implements AutoCloseable {
    private final HttpServer server;

    /** Received spans, in the order of their arrival. */
    public final List<Received> spans = new CopyOnWriteArrayList<>();

    /** Values of the header Authorization, one for each request. */
    public final List<String> authorizations = new CopyOnWriteArrayList<>();

    /**
     * One span.
     *
     * @param parent empty for a root
     */
    public record Received(
            String name,
            String kind,
            String trace,
            String id,
            String parent,
            long startNs,
            long endNs,
            boolean failed,
            Map<String, String> attributes,
            Map<String, String> resource) {}

    public TraceReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    /** The value of {@code otel.endpoint}. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Spans of this name. */
    public List<Received> named(String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }

    public Optional<Received> child(Received parent, String name) {
        return named(name).stream().filter(span -> span.parent().equals(parent.id())).findFirst();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            authorizations.add(
                    String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            boolean zipped =
                    "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            try (InputStream body =
                    zipped
                            ? new GZIPInputStream(exchange.getRequestBody())
                            : exchange.getRequestBody()) {
                ExportTraceServiceRequest.parseFrom(body)
                        .getResourceSpansList()
                        .forEach(this::keep);
            }
            byte[] answer = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private void keep(ResourceSpans resource) {
        for (ScopeSpans scope : resource.getScopeSpansList()) {
            for (Span span : scope.getSpansList()) {
                spans.add(
                        new Received(
                                span.getName(),
                                span.getKind().name().replace("SPAN_KIND_", ""),
                                hex(span.getTraceId().toByteArray()),
                                hex(span.getSpanId().toByteArray()),
                                hex(span.getParentSpanId().toByteArray()),
                                span.getStartTimeUnixNano(),
                                span.getEndTimeUnixNano(),
                                span.getStatus().getCodeValue() == 2,
                                texts(span.getAttributesList()),
                                texts(resource.getResource().getAttributesList())));
            }
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static Map<String, String> texts(List<KeyValue> attributes) {
        Map<String, String> texts = new TreeMap<>();
        for (KeyValue attribute : attributes) {
            AnyValue value = attribute.getValue();
            texts.put(
                    attribute.getKey(),
                    value.hasIntValue()
                            ? Long.toString(value.getIntValue())
                            : value.getStringValue());
        }
        return texts;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
