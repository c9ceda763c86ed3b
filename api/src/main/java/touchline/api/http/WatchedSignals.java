package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import touchline.api.session.LiveControl;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;
import touchline.media.signal.SignalHistory;

/** The newest samples of all watched streams, as JSON. Any thread. */
public final class WatchedSignals {
    private static final String STREAM = "live_stream_id";

    private final LiveControl live;
    private final Supplier<List<ObjectNode>> others;

    /**
     * @param others samples of the streams of other nodes
     */
    WatchedSignals(LiveControl live, Supplier<List<ObjectNode>> others) {
        this.live = live;
        this.others = others;
    }

    /** Those of the streams of this server, by stream. */
    public static ArrayNode here(LiveControl live) {
        return new WatchedSignals(live, List::of).newest();
    }

    /** Those of all nodes, by stream. */
    ArrayNode newest() {
        Map<String, ObjectNode> byStream = new TreeMap<>();
        others.get().forEach(sample -> byStream.put(sample.path(STREAM).asText(), sample));
        live.activeStreams()
                .forEach(
                        stream ->
                                sample(stream)
                                        .ifPresent(found -> byStream.put(stream.value(), found)));
        ArrayNode all = Json.array();
        byStream.values().forEach(all::add);
        return all;
    }

    private Optional<ObjectNode> sample(StreamId stream) {
        Optional<LiveStream> running = live.active(stream);
        return running.flatMap(it -> live.signals().history(it.session()))
                .flatMap(SignalHistory::newest)
                .map(newest -> SignalView.of(stream, running.orElseThrow().session(), newest));
    }

    /** For one client that receives each sample. */
    Unsent unsent() {
        return new Unsent();
    }

    /** The samples of other nodes that a client has not received. One thread. */
    final class Unsent {
        private Map<String, ObjectNode> sent = Map.of();

        /** Blocks for a moment at most. */
        List<ObjectNode> next() {
            Map<String, ObjectNode> now = new HashMap<>();
            others.get().forEach(sample -> now.put(sample.path(STREAM).asText(), sample));
            List<ObjectNode> fresh =
                    now.entrySet().stream()
                            .filter(each -> !each.getValue().equals(sent.get(each.getKey())))
                            .map(Map.Entry::getValue)
                            .toList();
            sent = now;
            return fresh;
        }
    }
}
