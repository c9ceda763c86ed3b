package touchline.ingest.rtmp;

import touchline.ingest.rtmp.RtmpCounters.Refusal;
import touchline.ingest.rtmp.RtmpReplies.Status;
import touchline.media.hub.AdmissionRevokedException;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.PublisherHeldException;
import touchline.media.hub.StartTooSoonException;
import touchline.media.hub.StreamBusyException;

/**
 * Enters a publisher with a valid key into its stream. If the stream has a publisher, that one may
 * have disconnected a moment ago, and its event loop may not have read it yet. So an encoder that
 * reconnects at once tries again for a short time. One per connection, on its event loop.
 */
final class StreamEntry {
    /** A second of tries: longer than a loaded event loop takes to read a pending end. */
    static final long RETRY_MS = 20;

    static final int MAX_TRIES = 50;

    private final LiveStreams streams;
    private long ticket;
    private int tries;

    /** Outcome of a try. */
    sealed interface Result {}

    record Entered(PublishRequest request, Publication publication) implements Result {}

    /** Another publisher is there: try again after {@link #RETRY_MS}. */
    record Busy() implements Result {}

    record Refused(Refusal refusal, Status status) implements Result {}

    StreamEntry(LiveStreams streams) {
        this.streams = streams;
    }

    /** Called before the key is checked. */
    void begin() {
        ticket = streams.admissionTicket();
    }

    /**
     * @param messageStreamId that the publisher uses
     */
    Result enter(PublishRequest request, int messageStreamId) {
        try {
            Publication publication = streams.publish(request, ticket);
            tries = 0;
            return new Entered(request, publication);
        } catch (StreamBusyException _) {
            if (++tries < MAX_TRIES) {
                return new Busy();
            }
            return new Refused(Refusal.BUSY, RtmpReplies.busy(messageStreamId));
        } catch (StartTooSoonException e) {
            return denied(RtmpReplies.tooSoon(messageStreamId, e.retryInSeconds()));
        } catch (PublisherHeldException e) {
            return denied(RtmpReplies.completed(messageStreamId, e.retryInSeconds()));
        } catch (AdmissionRevokedException e) {
            return denied(RtmpReplies.cut(messageStreamId, e.reason()));
        }
    }

    private static Refused denied(Status status) {
        return new Refused(Refusal.DENIED, status);
    }
}
