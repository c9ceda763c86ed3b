package touchline.api.session;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.StreamRepository;
import touchline.api.domain.StreamDefinition;
import touchline.ingest.PublishDecision;
import touchline.ingest.PublishGate;
import touchline.media.CodecConfig;
import touchline.media.StreamId;

/** Checks stream keys against the database, on virtual threads; and codecs by the settings. */
final class StreamKeyGate implements PublishGate {
    private static final Logger log = LoggerFactory.getLogger(StreamKeyGate.class);

    private final StreamRepository streams;
    private final Predicate<StreamId> refused;
    private final AudioRules audio;

    /**
     * @param refused disabled streams; the database may not have stored the change yet
     */
    StreamKeyGate(StreamRepository streams, Predicate<StreamId> refused, AudioRules audio) {
        this.streams = streams;
        this.refused = refused;
        this.audio = audio;
    }

    @Override
    public Optional<String> refusal(CodecConfig codec) {
        return audio.refusal(codec);
    }

    @Override
    public PublishDecision decide(String streamKey) {
        Optional<StreamRepository.KeyOwner> owner = streams.findByStreamKey(streamKey);
        if (owner.isEmpty()) {
            return refused(PublishDecision.Reason.BAD_NAME, "unknown stream key");
        }
        StreamDefinition stream = owner.get().stream();
        if (stream.disabled() || refused.test(stream.id()) || isDisabledMeanwhile(stream.id())) {
            log.info("stream={} publish refused: disabled", stream.id());
            return refused(PublishDecision.Reason.DENIED, "the stream is disabled");
        }
        Duration window = Duration.ofSeconds(stream.settings().reconnectWindowSeconds());
        return switch (owner.get().role()) {
            case MAIN -> new PublishDecision.Main(stream.id(), window);
            case BACKUP ->
                    new PublishDecision.Backup(stream.id(), window, stream.backup().failover());
            case OVERLAY -> new PublishDecision.Overlay(stream.id(), window);
        };
    }

    /** A pending change counts as pending until it is stored: so the database is asked last. */
    private boolean isDisabledMeanwhile(StreamId stream) {
        return streams.find(stream).map(StreamDefinition::disabled).orElse(false);
    }

    private static PublishDecision refused(PublishDecision.Reason reason, String description) {
        return new PublishDecision.Refused(reason, description);
    }
}
