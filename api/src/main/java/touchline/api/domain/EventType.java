package touchline.api.domain;

import java.util.Optional;

/** The types of events, with the names that endpoints subscribe to and receivers read. */
public enum EventType {
    /** Moderation raised an alert: its data is as in the interface document, with {@code seq}. */
    AUDIT_CHECK("audit_check"),
    /** A person decided about a moderation record, or took that back. */
    MODERATION_RECORD_REVIEWED("moderation_record.reviewed"),
    LIVE_STREAM_CREATED("live_stream.created"),
    LIVE_STREAM_UPDATED("live_stream.updated"),
    /** An encoder sent its first media, at a session's start or after a reconnect. */
    LIVE_STREAM_CONNECTED("live_stream.connected"),
    /** A session has started. */
    LIVE_STREAM_ACTIVE("live_stream.active"),
    /** The encoder disconnected. The session waits for it, unless it ended too. */
    LIVE_STREAM_DISCONNECTED("live_stream.disconnected"),
    /** The session ended. The stream accepts a publisher again. */
    LIVE_STREAM_IDLE("live_stream.idle"),
    LIVE_STREAM_ENABLED("live_stream.enabled"),
    LIVE_STREAM_DISABLED("live_stream.disabled"),
    LIVE_STREAM_DELETED("live_stream.deleted"),
    /** The standby writes the programme; its data has the reason. */
    LIVE_STREAM_STANDBY_STARTED("live_stream.standby_started"),
    /** An encoder writes the programme again, or the session has ended. */
    LIVE_STREAM_STANDBY_ENDED("live_stream.standby_ended"),
    /** Something the operator should change. */
    LIVE_STREAM_WARNING("live_stream.warning"),
    /** A fault of the signal is over; its begin was a warning. */
    LIVE_STREAM_WARNING_ENDED("live_stream.warning_ended"),
    /** The programme is that of the other encoder. */
    LIVE_STREAM_SOURCE_CHANGED("live_stream.source_changed"),
    ASSET_CREATED("asset.created"),
    /** The asset can be played. Sent again when its recording is complete. */
    ASSET_READY("asset.ready"),
    ASSET_ERRORED("asset.errored"),
    ASSET_DELETED("asset.deleted"),
    OVERLAY_LOADED("overlay.loaded"),
    OVERLAY_FAILED("overlay.failed"),
    OVERLAY_RECOVERED("overlay.recovered"),
    /** A target of a live stream takes media: for the first time in the session, or again. */
    RESTREAM_LIVE("restream.live"),
    /** A target takes no media any longer, or not yet. It is tried again. */
    RESTREAM_FAILED("restream.failed"),
    STORAGE_LOW_SPACE("storage.low_space"),
    /** Recordings wait for their upload to S3 for too long. */
    STORAGE_BACKLOG("storage.backlog"),
    /** Uploads have caught up. */
    STORAGE_BACKLOG_ENDED("storage.backlog_ended"),
    /** New TLS handshakes see another certificate. */
    CERTIFICATE_RENEWED("certificate.renewed"),
    /** The certificate was not replaced, and stays. */
    CERTIFICATE_FAILED("certificate.failed"),
    /** An endpoint was disabled: it failed for too long, or answered 410. */
    WEBHOOK_DISABLED("webhook.disabled"),
    /** Sent on request, to one endpoint. */
    WEBHOOK_TEST("webhook.test");

    private final String wireName;

    EventType(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /** The name of the resource in its data: {@code live_stream} of {@code live_stream.idle}. */
    public String resource() {
        int dot = wireName.indexOf('.');
        return dot < 0 ? wireName : wireName.substring(0, dot);
    }

    public static Optional<EventType> of(String wireName) {
        for (EventType type : values()) {
            if (type.wireName.equals(wireName)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
