package touchline.ingest.rtmp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import touchline.ingest.PublishDecision;
import touchline.ingest.PublishGate;
import touchline.ingest.RelayKey;
import touchline.media.CodecConfig;
import touchline.media.StreamId;

/** Accepts the keys a test adds, and records all keys it checked. Any thread. */
final class FakeGate implements PublishGate {
    private final Map<String, PublishDecision> decisions = new ConcurrentHashMap<>();
    private final Map<String, PublishDecision> relayed = new ConcurrentHashMap<>();
    private volatile Optional<RelayKey> relayKey = Optional.empty();
    private volatile boolean mp3 = true;
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

    FakeGate main(String key, StreamId stream) {
        decisions.put(key, new PublishDecision.Main(stream, Duration.ZERO));
        return this;
    }

    FakeGate overlay(String key, StreamId stream) {
        decisions.put(key, new PublishDecision.Overlay(stream, Duration.ZERO));
        return this;
    }

    FakeGate denied(String key, String description) {
        decisions.put(key, new PublishDecision.Refused(PublishDecision.Reason.DENIED, description));
        return this;
    }

    FakeGate add(String key, PublishDecision decision) {
        decisions.put(key, decision);
        return this;
    }

    /** What publishers get that other nodes relay; without it the same as others. */
    FakeGate addRelayed(String key, PublishDecision decision) {
        relayed.put(key, decision);
        return this;
    }

    /** The server is a node of a cluster. */
    FakeGate node(RelayKey key) {
        relayKey = Optional.of(key);
        return this;
    }

    @Override
    public Optional<RelayKey> relayKey() {
        return relayKey;
    }

    @Override
    public PublishDecision decideRelayed(String streamKey) {
        PublishDecision decision = relayed.get(streamKey);
        return decision != null ? decision : decide(streamKey);
    }

    /** Refuses MP3 of main publishers. */
    FakeGate withoutMp3() {
        mp3 = false;
        return this;
    }

    @Override
    public Optional<String> refusal(CodecConfig codec) {
        return codec instanceof CodecConfig.Mp3 && !mp3 ? Optional.of("MP3") : Optional.empty();
    }

    List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public PublishDecision decide(String streamKey) {
        asked.add(streamKey);
        if (streamKey.equals("database-down")) {
            throw new IllegalStateException("no database");
        }
        return decisions.getOrDefault(
                streamKey,
                new PublishDecision.Refused(
                        PublishDecision.Reason.BAD_NAME, "Unknown stream key."));
    }
}
