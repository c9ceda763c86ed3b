package touchline.ingest.rtmp;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the RTMP port, for the metrics page. Any thread; reading does not slow the loops. */
public final class RtmpCounters {

    /** Why a connection or a publisher was refused. */
    public enum Refusal {
        /** {@code rtmp.max-connections} were open. */
        CONNECTION_LIMIT,
        /** {@code rtmp.max-connections-per-address} were open. */
        ADDRESS_LIMIT,
        /** The handshake did not finish in time. */
        HANDSHAKE_TIMEOUT,
        /** Bad bytes in handshake, chunk, AMF value or media; or a message above its limit. */
        MALFORMED,
        /** No media for {@code rtmp.idle-timeout}. */
        IDLE,
        /** Unknown key. */
        BAD_NAME,
        /** Known key that may not publish now. */
        DENIED,
        /** Another publisher was sending. */
        BUSY,
        /** The gate failed. */
        GATE_FAILED,
        /** A codec that is not supported. */
        CODEC,
        /** A client requested to play. */
        PLAY,
        /** A client sent commands and did not read the answers. */
        SLOW_READER,
        /** No publish within {@code rtmp.publish-timeout}. */
        PUBLISH_TIMEOUT,
        /** Cut because unfinished messages of all connections took too much memory. */
        RECEIVE_BUDGET,
        /** A forged or expired credential of a relay, or one without a cluster. */
        RELAY_CREDENTIAL,
        /** A node relayed a publisher of a stream that this node does not own. */
        NOT_OWNER,
        /** No owner of a stream was found for a publisher that was to be relayed. */
        NO_OWNER
    }

    private final LongAdder accepted = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final LongAdder publishers = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder droppedUnits = new LongAdder();
    private final LongAdder relays = new LongAdder();
    private final LongAdder relayedBytes = new LongAdder();
    private final LongAdder relaysLost = new LongAdder();
    private final ConcurrentHashMap<Refusal, LongAdder> refusals = new ConcurrentHashMap<>();

    /** Connections accepted since the start. */
    public long accepted() {
        return accepted.sum();
    }

    /** Connections open now. */
    public long connections() {
        return connections.sum();
    }

    /** Publishers connected now. */
    public long publishers() {
        return publishers.sum();
    }

    /** Bytes received behind the handshakes, since the start. */
    public long bytesIn() {
        return bytes.sum();
    }

    /** Messages received whole, since the start. */
    public long messagesIn() {
        return messages.sum();
    }

    /** Audio and video messages that came before their decoder configuration, since the start. */
    public long droppedUnits() {
        return droppedUnits.sum();
    }

    /** Publishers that are relayed to other nodes now. */
    public long relays() {
        return relays.sum();
    }

    /** Bytes of media relayed to other nodes, since the start. */
    public long relayedBytes() {
        return relayedBytes.sum();
    }

    /** Relays whose owner was lost while the encoder was connected, since the start. */
    public long relaysLost() {
        return relaysLost.sum();
    }

    /** Refusals for one reason since the start. */
    public long refused(Refusal reason) {
        LongAdder count = refusals.get(reason);
        return count == null ? 0 : count.sum();
    }

    void opened() {
        accepted.increment();
        connections.increment();
    }

    void closed() {
        connections.decrement();
    }

    void publisherStarted() {
        publishers.increment();
    }

    void publisherGone() {
        publishers.decrement();
    }

    void relayStarted() {
        relays.increment();
    }

    void relayEnded(boolean lost) {
        relays.decrement();
        if (lost) {
            relaysLost.increment();
        }
    }

    void relayed(long newBytes) {
        relayedBytes.add(newBytes);
    }

    void received(long newBytes, int newMessages) {
        bytes.add(newBytes);
        messages.add(newMessages);
    }

    void dropped(long units) {
        droppedUnits.add(units);
    }

    void refuse(Refusal reason) {
        refusals.computeIfAbsent(reason, _ -> new LongAdder()).increment();
    }
}
