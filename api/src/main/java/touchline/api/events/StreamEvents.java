package touchline.api.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.db.NewEvent;
import touchline.api.db.Outbox;
import touchline.api.domain.ActiveSession;
import touchline.api.domain.Event;
import touchline.api.domain.EventType;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.WatermarkSettings;
import touchline.api.view.AssetView;
import touchline.api.view.LiveStreamView;
import touchline.api.view.StandbyView;
import touchline.media.SessionId;
import touchline.media.hub.IngestReport;
import touchline.media.hub.SourceChange;
import touchline.media.hub.StandbyReason;

/**
 * Records what happens to live streams, each event with the stream as the API shows it, without its
 * keys. Call it in the transaction of the change. Blocks; any thread.
 */
public final class StreamEvents {
    private final Outbox outbox;
    private final AssetRepository assets;
    private final LiveStreamView view;

    /**
     * @param rtmpUrl where encoders push, with the application's name
     */
    public StreamEvents(Database database, URI rtmpUrl) {
        this.outbox = database.outbox();
        this.assets = new AssetRepository(database, AssetView::of);
        this.view = new LiveStreamView(rtmpUrl);
    }

    /**
     * @param active the session that runs when the change is done
     */
    public void record(EventType type, StreamDefinition stream, Optional<ActiveSession> active) {
        outbox.append(about(type, stream, active));
    }

    /** {@code live_stream.standby_*}: the standby of the active session. */
    public void standby(
            EventType type, StreamDefinition stream, ActiveSession active, StandbyReason reason) {
        outbox.append(
                about(type, stream, Optional.of(active)).with("reason", StandbyView.name(reason)));
    }

    /** {@code live_stream.warning}: what the encoder, or the operator, should change. */
    @CanIgnoreReturnValue
    public Event warning(StreamDefinition stream, SessionId session, IngestReport.Warning warning) {
        return warning(EventType.LIVE_STREAM_WARNING, stream, session, warning);
    }

    /** {@code live_stream.warning} when a fault begins, {@code live_stream.warning_ended} then. */
    public void fault(StreamDefinition stream, SessionId session, IngestReport.Warning occurrence) {
        boolean ended = occurrence.endedAt().isPresent();
        Event _ =
                warning(
                        ended ? EventType.LIVE_STREAM_WARNING_ENDED : EventType.LIVE_STREAM_WARNING,
                        stream,
                        session,
                        occurrence);
    }

    private Event warning(
            EventType type,
            StreamDefinition stream,
            SessionId session,
            IngestReport.Warning warning) {
        ObjectNode shown =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("code", warning.code())
                        .put("message", warning.message())
                        .put("at", warning.at().getEpochSecond())
                        .put("session_id", session.value());
        warning.endedAt().ifPresent(at -> shown.put("ended_at", at.getEpochSecond()));
        Optional<ActiveSession> active = Optional.of(ActiveSession.connected(session));
        return outbox.append(about(type, stream, active).with("warning", shown));
    }

    /** {@code live_stream.source_changed}: the programme is that of the other encoder. */
    public void source(StreamDefinition stream, SessionId session, SourceChange change) {
        Optional<ActiveSession> active = Optional.of(ActiveSession.connected(session));
        JsonNodeFactory json = JsonNodeFactory.instance;
        outbox.append(
                about(EventType.LIVE_STREAM_SOURCE_CHANGED, stream, active)
                        .with("session_id", session.value())
                        .with("from", change.from().wireName())
                        .with("to", change.to().wireName())
                        .with("reason", change.reason().wireName())
                        .with("gap_ms", json.numberNode(change.gapMs()))
                        .with("aligned", json.booleanNode(change.aligned())));
    }

    /**
     * {@code overlay.*}: what has become of a session's scoreboard.
     *
     * @param reason why it failed, in words for the operator; empty where it did not
     */
    public void overlay(
            EventType type,
            StreamDefinition stream,
            SessionId session,
            WatermarkSettings watermark,
            Optional<String> reason) {
        ObjectNode overlay = view.of(watermark, /* withKeys= */ false);
        overlay.put("session_id", session.value());
        reason.ifPresent(text -> overlay.put("reason", text));
        outbox.append(NewEvent.of(type, stream.id(), overlay));
    }

    private NewEvent about(
            EventType type, StreamDefinition stream, Optional<ActiveSession> active) {
        ObjectNode shown =
                view.of(
                        stream,
                        active,
                        assets.recent(List.of(stream.id()), LiveStreamView.RECENT_ASSETS)
                                .getOrDefault(stream.id(), List.of()),
                        /* withKeys= */ false);
        return NewEvent.of(type, stream.id(), shown);
    }
}
