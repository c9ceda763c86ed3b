package touchline.api.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.ClusterChanges;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.ViewerCounts;
import touchline.media.StreamId;

/**
 * Calls the ports of other nodes, with this node's signature. Addresses come from the registry
 * only. Calls block; any thread; the creator closes it.
 */
public final class NodeClient implements AutoCloseable {
    /** Where a node answers {@link NodeReport}. */
    public static final String STATE = "/internal/v1/state";

    /** Where a node applies a change. */
    public static final String CHANGES = "/internal/v1/changes";

    /** Where a node looks for work. */
    public static final String WAKE = "/internal/v1/wake";

    /** Where a node says how many viewers it serves. */
    public static final String VIEWERS = "/internal/v1/viewers";

    /** Where a node has the newest samples of the signals that it watches. */
    public static final String SIGNALS = "/internal/v1/signals";

    private static final Logger log = LoggerFactory.getLogger(NodeClient.class);
    private static final int OK = 200;
    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final NodeSignature signature;
    private final HttpClient http;
    private final LongAdder forwarded = new LongAdder();

    /**
     * @param trust in the certificates of nodes, where they have some
     */
    public NodeClient(NodeSignature signature, SSLContext trust) {
        this.signature = signature;
        this.http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .executor(
                                Executors.newThreadPerTaskExecutor(
                                        Thread.ofVirtual().name("node-client-", 0).factory()))
                        .sslContext(trust)
                        .build();
    }

    /**
     * The state of a node.
     *
     * @param patience for the answer
     * @throws NodeCallException if it does not answer in time, or refuses
     */
    public NodeReport state(ClusterNode node, Duration patience) {
        return state(node.id(), node.addresses().control(), patience);
    }

    /** The same of a node whose port for nodes has this address. */
    public NodeReport state(String node, String control, Duration patience) {
        HttpRequest request = request("GET", control, STATE).timeout(patience).build();
        HttpResponse<byte[]> answer = sent(node, request, BodyHandlers.ofByteArray());
        if (answer.statusCode() != OK) {
            throw new NodeCallException(
                    "node %s answered %d (expected: 200)".formatted(node, answer.statusCode()));
        }
        try {
            return NodeReport.of(JSON.readTree(answer.body()));
        } catch (IOException e) {
            throw new NodeCallException("node " + node, e);
        }
    }

    /**
     * Lets nodes apply a change, all at the same time.
     *
     * @param patience for all of them together
     * @return the nodes that have not confirmed it
     */
    public List<ClusterNode> changed(
            List<ClusterNode> nodes, ClusterChanges.Row change, Duration patience) {
        ObjectNode body =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("id", change.id())
                        .put("kind", change.kind().wireName())
                        .put("subject", change.subject());
        return post(nodes, CHANGES, body, patience);
    }

    /** Lets nodes look for work, all at the same time; returns the nodes that did not answer. */
    public List<ClusterNode> wake(List<ClusterNode> nodes, Set<WakeUp> work, Duration patience) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ArrayNode all = body.putArray("work");
        work.forEach(each -> all.add(each.wireName()));
        return post(nodes, WAKE, body, patience);
    }

    /** The viewers of all these nodes together, asked at the same time. */
    public ViewerCounts viewers(List<ClusterNode> nodes, Duration patience) {
        return answers(nodes, VIEWERS, patience).stream()
                .map(NodeClient::viewers)
                .reduce(ViewerCounts.NONE, ViewerCounts::plus);
    }

    private static ViewerCounts viewers(JsonNode json) {
        Map<StreamId, Integer> byStream = new HashMap<>();
        json.path("streams")
                .properties()
                .forEach(it -> byStream.put(new StreamId(it.getKey()), it.getValue().asInt()));
        return new ViewerCounts(json.path("total").asInt(), byStream);
    }

    /** The newest samples of signals that these nodes watch, as their API shows them. */
    public List<ObjectNode> signals(List<ClusterNode> nodes, Duration patience) {
        List<ObjectNode> samples = new ArrayList<>();
        for (JsonNode answer : answers(nodes, SIGNALS, patience)) {
            for (JsonNode sample : answer) {
                if (sample instanceof ObjectNode known) {
                    samples.add(known);
                }
            }
        }
        return samples;
    }

    /** The states of those of these nodes that answer in time, asked at the same time. */
    public List<NodeReport> states(List<ClusterNode> nodes, Duration patience) {
        return answers(nodes, STATE, patience).stream().map(NodeReport::of).toList();
    }

    /** What those of these nodes say that answer in time with 200 and JSON. */
    private List<JsonNode> answers(List<ClusterNode> nodes, String target, Duration patience) {
        List<CompletableFuture<Optional<JsonNode>>> calls =
                nodes.stream()
                        .map(
                                node ->
                                        request("GET", node.addresses().control(), target)
                                                .timeout(patience)
                                                .build())
                        .map(
                                request ->
                                        http.sendAsync(request, BodyHandlers.ofByteArray())
                                                .thenApply(NodeClient::json)
                                                .exceptionally(_ -> Optional.empty()))
                        .toList();
        return calls.stream().map(CompletableFuture::join).flatMap(Optional::stream).toList();
    }

    private static Optional<JsonNode> json(HttpResponse<byte[]> answer) {
        try {
            return answer.statusCode() == OK
                    ? Optional.of(JSON.readTree(answer.body()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Passes the request of a client on.
     *
     * @param patience until the head of the answer; the body may last
     * @throws NodeCallException if there is no answer
     */
    public NodeAnswer forward(ClusterNode node, NodeRequest asked, Duration patience) {
        HttpRequest.Builder request =
                request(asked.method(), node.addresses().control(), asked.target())
                        .method(
                                asked.method(),
                                asked.body().length == 0
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofByteArray(asked.body()))
                        .timeout(patience);
        asked.headers().forEach(request::header);
        HttpResponse<InputStream> answer =
                sent(node.id(), request.build(), BodyHandlers.ofInputStream());
        forwarded.increment();
        Map<String, String> headers = new HashMap<>();
        answer.headers()
                .map()
                .forEach(
                        (name, values) ->
                                headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        return new NodeAnswer(answer.statusCode(), headers, answer.body());
    }

    /** Requests of clients that another node has answered, since the start. */
    public long forwarded() {
        return forwarded.sum();
    }

    private List<ClusterNode> post(
            List<ClusterNode> nodes, String target, JsonNode body, Duration patience) {
        Map<ClusterNode, CompletableFuture<HttpResponse<Void>>> calls = new LinkedHashMap<>();
        for (ClusterNode node : nodes) {
            HttpRequest request =
                    request("POST", node.addresses().control(), target)
                            .POST(BodyPublishers.ofString(body.toString()))
                            .timeout(patience)
                            .build();
            calls.put(node, http.sendAsync(request, BodyHandlers.discarding()));
        }
        List<ClusterNode> failed = new ArrayList<>();
        calls.forEach(
                (node, call) -> {
                    int status =
                            call.handle((answer, _) -> answer == null ? 0 : answer.statusCode())
                                    .join();
                    if (status != OK) {
                        log.debug("node={} {} answered {}", node.id(), target, status);
                        failed.add(node);
                    }
                });
        return failed;
    }

    private HttpRequest.Builder request(String method, String control, String target) {
        return HttpRequest.newBuilder(URI.create(control + target))
                .method(method, BodyPublishers.noBody())
                .header(NodeSignature.HEADER, signature.sign(method, target));
    }

    private <T> HttpResponse<T> sent(String node, HttpRequest request, BodyHandler<T> handler) {
        try {
            return http.send(request, handler);
        } catch (IOException e) {
            throw new NodeCallException("node " + node, e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new NodeCallException("node " + node + ": interrupted");
        }
    }

    /** Ends calls in progress. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
