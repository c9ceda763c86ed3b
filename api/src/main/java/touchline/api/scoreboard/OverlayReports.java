package touchline.api.scoreboard;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.EventType;
import touchline.api.domain.StreamDefinition;
import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;
import touchline.overlay.HtmlLayer;

/**
 * Reports the states of one session's scoreboard in the log and as events. Blocks for the database.
 * A database failure does not stop a scoreboard. Any thread.
 */
final class OverlayReports implements HtmlLayer.Listener {
    private static final Logger log = LoggerFactory.getLogger(OverlayReports.class);

    /** The code of {@code live_stream.warning}. */
    static final String OVERLOAD = "overlay_overload";

    private final LiveStream live;
    private final OverlayDependencies dependencies;

    OverlayReports(LiveStream live, OverlayDependencies dependencies) {
        this.live = live;
        this.dependencies = dependencies;
    }

    @Override
    public void loaded() {
        report(EventType.OVERLAY_LOADED, Optional.empty());
    }

    @Override
    public void failed(String reason) {
        report(EventType.OVERLAY_FAILED, Optional.of(reason));
    }

    @Override
    public void recovered() {
        report(EventType.OVERLAY_RECOVERED, Optional.empty());
    }

    void overloaded(String message) {
        store(
                stream ->
                        dependencies
                                .events()
                                .warning(
                                        stream,
                                        live.session(),
                                        new IngestReport.Warning(
                                                OVERLOAD,
                                                message,
                                                dependencies.clock().instant())));
    }

    private void report(EventType type, Optional<String> reason) {
        log.info(
                "stream={} session={} {}{}",
                live.stream(),
                live.session(),
                type.wireName(),
                reason.map(text -> ": " + text).orElse(""));
        store(
                stream ->
                        stream.watermark()
                                .ifPresent(
                                        watermark ->
                                                dependencies
                                                        .events()
                                                        .overlay(
                                                                type,
                                                                stream,
                                                                live.session(),
                                                                watermark,
                                                                reason)));
    }

    private interface Change {
        void about(StreamDefinition stream);
    }

    private void store(Change change) {
        try {
            dependencies
                    .database()
                    .transaction(
                            () -> {
                                dependencies.streams().find(live.stream()).ifPresent(change::about);
                                return true;
                            });
        } catch (RuntimeException e) {
            log.warn("session={} an event was not stored: {}", live.session(), e.getMessage());
        }
    }
}
