package touchline.api.session;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.cluster.ownership.PublishAttempt;
import touchline.api.db.DatabaseException;
import touchline.api.db.StreamRepository;
import touchline.api.db.StreamRepository.KeyOwner;
import touchline.api.domain.PublishTerms;
import touchline.api.domain.StreamDefinition;
import touchline.ingest.OwnerNode;
import touchline.ingest.PublishDecision;
import touchline.ingest.PublishGate;
import touchline.ingest.RelayKey;
import touchline.ingest.RelayedPublish;
import touchline.media.CodecConfig;
import touchline.media.StreamId;

/**
 * Checks stream keys against the database, on virtual threads; and codecs by the settings. While
 * the database does not answer, keys of running sessions are known, at whichever nodes they run.
 */
final class StreamKeyGate implements PublishGate {
    private static final Logger log = LoggerFactory.getLogger(StreamKeyGate.class);

    private final StreamRepository streams;
    private final Predicate<StreamId> refused;
    private final Predicate<StreamId> open;
    private final AudioRules audio;
    private final StreamAdmission admission;
    private final BiConsumer<StreamId, Duration> admitted;

    /**
     * @param refused disabled streams; the database may not have stored the change yet
     * @param open streams that a publisher is connected for, or whose session waits for one
     * @param admission whether this server may work with the stream
     * @param admitted receives a stream and its reconnect window, before its publisher publishes
     */
    StreamKeyGate(
            StreamRepository streams,
            Predicate<StreamId> refused,
            Predicate<StreamId> open,
            AudioRules audio,
            StreamAdmission admission,
            BiConsumer<StreamId, Duration> admitted) {
        this.streams = streams;
        this.refused = refused;
        this.open = open;
        this.audio = audio;
        this.admission = admission;
        this.admitted = admitted;
    }

    @Override
    public Optional<String> refusal(CodecConfig codec) {
        return audio.refusal(codec);
    }

    @Override
    public Optional<RelayKey> relayKey() {
        return admission.relayKey();
    }

    @Override
    public PublishDecision decide(String streamKey) {
        return decide(streamKey, admission::admit);
    }

    @Override
    public PublishDecision decideRelayed(String streamKey) {
        return decide(streamKey, admission::admitRelayed);
    }

    private PublishDecision decide(String streamKey, Function<StreamId, Admission> admit) {
        if (admission.database() == StreamAdmission.DatabaseState.AWAY) {
            Optional<PublishDecision> known = known(streamKey, admit);
            if (known.isPresent()) {
                return known.get();
            }
        }
        long version = streams.admitted().version();
        Optional<KeyOwner> owner;
        boolean isDisabled;
        try {
            owner = streams.findByStreamKey(streamKey);
            isDisabled = owner.filter(this::isDisabled).isPresent();
        } catch (DatabaseException e) {
            return known(streamKey, admit).orElseThrow(() -> e);
        }
        if (owner.isEmpty()) {
            return refused(PublishDecision.Reason.BAD_NAME, "unknown stream key");
        }
        if (isDisabled) {
            log.info("stream={} publish refused: disabled", owner.get().stream().id());
            return refused(PublishDecision.Reason.DENIED, "the stream is disabled");
        }
        PublishTerms terms = PublishTerms.of(owner.get().stream(), owner.get().role());
        streams.admitted().keep(streamKey, terms, version);
        return decide(streamKey, terms, admit.apply(terms.stream()));
    }

    /**
     * The decision without the database: empty for keys that were not admitted here lately, and are
     * of no active stream. Only a session that runs here, or at a node that says so, goes on.
     */
    private Optional<PublishDecision> known(String streamKey, Function<StreamId, Admission> admit) {
        Optional<PublishTerms> terms =
                streams.admitted()
                        .find(streamKey)
                        .or(() -> admission.activeKey(streamKey))
                        .filter(_ -> admission.database() != StreamAdmission.DatabaseState.MISSED)
                        .filter(known -> !refused.test(known.stream()));
        if (terms.isEmpty()) {
            return Optional.empty();
        }
        StreamId stream = terms.get().stream();
        boolean isOpen = open.test(stream);
        Admission admitted = admit.apply(stream);
        if (admitted instanceof Admission.Here && !isOpen) {
            return Optional.empty();
        }
        log.info("stream={} the database does not answer: its key is known", stream);
        return Optional.of(decide(streamKey, terms.get(), admitted));
    }

    private PublishDecision decide(String streamKey, PublishTerms terms, Admission admitted) {
        StreamId stream = terms.stream();
        return switch (admitted) {
            case Admission.Here() -> here(terms);
            case Admission.Relay relay -> {
                log.info("stream={} is relayed to node {}", stream, relay.owner().id());
                yield new PublishDecision.Relay(
                        stream,
                        new OwnerNode(relay.owner().id(), relay.address()),
                        ended -> decide(streamKey, _ -> relay.next().apply(reply(ended))));
            }
            case Admission.NotOwner() ->
                    refused(PublishDecision.Reason.NOT_OWNER, "this node does not have the stream");
            case Admission.Refused(String description) -> {
                log.info("stream={} publish refused: {}", stream, description);
                yield refused(PublishDecision.Reason.DENIED, description);
            }
        };
    }

    private static PublishAttempt.Reply reply(RelayedPublish.Ended ended) {
        return switch (ended) {
            case NOT_OWNER -> PublishAttempt.Reply.NOT_OWNER;
            case CONNECTION_REFUSED -> PublishAttempt.Reply.CONNECTION_REFUSED;
            case TIMED_OUT -> PublishAttempt.Reply.TIMED_OUT;
            case LOST -> PublishAttempt.Reply.ACCEPTED;
        };
    }

    private PublishDecision here(PublishTerms terms) {
        StreamId stream = terms.stream();
        Duration window = terms.reconnectWindow();
        admitted.accept(stream, window);
        return switch (terms.role()) {
            case MAIN -> new PublishDecision.Main(stream, window);
            case BACKUP -> new PublishDecision.Backup(stream, window, terms.failover());
            case OVERLAY -> new PublishDecision.Overlay(stream, window);
        };
    }

    /** A pending change counts as pending until it is stored: so the database is asked last. */
    private boolean isDisabled(KeyOwner owner) {
        StreamDefinition stream = owner.stream();
        return stream.disabled()
                || refused.test(stream.id())
                || streams.find(stream.id()).map(StreamDefinition::disabled).orElse(false);
    }

    private static PublishDecision refused(PublishDecision.Reason reason, String description) {
        return new PublishDecision.Refused(reason, description);
    }
}
