package touchline.ingest.rtmp;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.ingest.OwnerNode;
import touchline.ingest.PublishDecision;
import touchline.ingest.PublishGate;
import touchline.ingest.RelayedPublish;
import touchline.ingest.flv.UnsupportedCodecException;
import touchline.media.StreamId;
import touchline.media.Track;
import touchline.media.hub.EndReason;
import touchline.media.hub.FailoverSettings;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.PublishSource;
import touchline.media.hub.Role;

/**
 * Calls the gate, which may block, outside the event loops. One per server; any thread.
 *
 * @param executor a virtual thread for each call
 */
record PublishAdmission(PublishGate gate, Executor executor) {
    private static final Logger log = LoggerFactory.getLogger(PublishAdmission.class);

    /** Outcome of a request to publish. */
    sealed interface Outcome {}

    /**
     * @param source of a programme: by which of its keys
     */
    record Admitted(
            StreamId stream,
            Role role,
            PublishSource source,
            FailoverSettings failover,
            Duration reconnectWindow)
            implements Outcome {
        Admitted(StreamId stream, Role role, Duration reconnectWindow) {
            this(stream, role, PublishSource.PRIMARY, FailoverSettings.DEFAULTS, reconnectWindow);
        }

        /**
         * @param encoder as {@link PublishRequest#publisher}
         * @param onCut as there
         */
        PublishRequest request(String encoder, Consumer<EndReason> onCut) {
            return new PublishRequest(
                    stream, role, source, failover, reconnectWindow, encoder, onCut);
        }
    }

    /**
     * To be relayed to the node that owns the stream.
     *
     * @param streamKey secret
     */
    record Relayed(StreamId stream, String streamKey, OwnerNode owner, RelayedPublish publish)
            implements Outcome {
        @Override
        public String toString() {
            return "Relayed[" + stream + " " + owner.id() + "]";
        }
    }

    /**
     * @param code of the {@code onStatus}
     */
    record Refused(RtmpCounters.Refusal refusal, String code, String description)
            implements Outcome {}

    /**
     * Tries the possible keys in order until the gate accepts one.
     *
     * @param keys secrets; the most likely first
     * @param answer called once, on another thread
     */
    void ask(List<String> keys, Consumer<Outcome> answer) {
        execute(() -> decide(keys), answer);
    }

    /**
     * Asks about a publisher that another node relays.
     *
     * @param key secret
     * @param answer called once, on another thread
     */
    void askRelayed(String key, Consumer<Outcome> answer) {
        execute(() -> outcome(key, servedHere(decideRelayed(key))), answer);
    }

    /** A node that cannot decide, as one that ends, must not refuse for the others. */
    private PublishDecision decideRelayed(String key) {
        try {
            return gate.decideRelayed(key);
        } catch (RuntimeException e) {
            log.warn("cannot check the key of a relayed publisher: another node may have it", e);
            return new PublishDecision.Refused(
                    PublishDecision.Reason.NOT_OWNER, "The key cannot be checked here now.");
        }
    }

    /** A relayed publisher is never relayed again: two nodes could send it in a circle. */
    private static PublishDecision servedHere(PublishDecision decision) {
        return decision instanceof PublishDecision.Relay
                ? new PublishDecision.Refused(
                        PublishDecision.Reason.NOT_OWNER, "Another node owns the stream.")
                : decision;
    }

    /**
     * Asks again about a publisher whose relay did not begin, or ended.
     *
     * @param answer called once, on another thread
     */
    void askNext(Relayed before, RelayedPublish.Ended ended, Consumer<Outcome> answer) {
        execute(() -> outcome(before.streamKey(), before.publish().next(ended)), answer);
    }

    private void execute(Supplier<Outcome> question, Consumer<Outcome> answer) {
        executor.execute(
                () -> {
                    Outcome outcome = decided(question);
                    try {
                        answer.accept(outcome);
                    } catch (RejectedExecutionException e) {
                        log.debug("the gate's answer arrived after the server had stopped", e);
                    }
                });
    }

    /**
     * Checks the codecs of a publisher. An overlay stream is decoded by the server, so the gate
     * decides about main publishers only. Does not block.
     *
     * @throws UnsupportedCodecException with the codec's name
     */
    void check(Role role, List<Track> tracks) {
        if (role == Role.OVERLAY) {
            return;
        }
        for (Track track : tracks) {
            Optional<String> refused = gate.refusal(track.codec());
            if (refused.isPresent()) {
                throw new UnsupportedCodecException(refused.get());
            }
        }
    }

    private Outcome decide(List<String> keys) {
        for (String key : keys) {
            PublishDecision decision = gate.decide(key);
            if (!isUnknown(decision)) {
                return outcome(key, decision);
            }
        }
        return new Refused(
                RtmpCounters.Refusal.BAD_NAME, RtmpReplies.BAD_NAME, "Unknown stream key.");
    }

    private static Outcome decided(Supplier<Outcome> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            log.warn("cannot check a stream key: the publisher is refused", e);
            return new Refused(
                    RtmpCounters.Refusal.GATE_FAILED,
                    RtmpReplies.DENIED,
                    "The key cannot be checked now, try again.");
        }
    }

    private static boolean isUnknown(PublishDecision decision) {
        return decision instanceof PublishDecision.Refused(PublishDecision.Reason reason, _)
                && reason == PublishDecision.Reason.BAD_NAME;
    }

    private Outcome outcome(String key, PublishDecision decision) {
        return switch (decision) {
            case PublishDecision.Main(StreamId stream, Duration window) ->
                    new Admitted(stream, Role.MAIN, window);
            case PublishDecision.Backup(
                            StreamId stream,
                            Duration window,
                            FailoverSettings failover) ->
                    new Admitted(stream, Role.MAIN, PublishSource.BACKUP, failover, window);
            case PublishDecision.Overlay(StreamId stream, Duration window) ->
                    new Admitted(stream, Role.OVERLAY, window);
            case PublishDecision.Relay(
                            StreamId stream,
                            OwnerNode owner,
                            RelayedPublish publish) -> {
                if (gate.relayKey().isEmpty()) {
                    throw new IllegalStateException("relay of " + stream + " without a key");
                }
                yield new Relayed(stream, key, owner, publish);
            }
            case PublishDecision.Refused(PublishDecision.Reason reason, String description) ->
                    switch (reason) {
                        case BAD_NAME ->
                                new Refused(
                                        RtmpCounters.Refusal.BAD_NAME,
                                        RtmpReplies.BAD_NAME,
                                        description);
                        case DENIED ->
                                new Refused(
                                        RtmpCounters.Refusal.DENIED,
                                        RtmpReplies.DENIED,
                                        description);
                        case NOT_OWNER ->
                                new Refused(
                                        RtmpCounters.Refusal.NOT_OWNER,
                                        RtmpReplies.DENIED,
                                        description);
                    };
        };
    }
}
