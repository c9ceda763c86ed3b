package touchline.api.session;

import java.net.InetSocketAddress;
import java.util.function.Function;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.PublishAttempt;

/** Where a publisher goes. Immutable. */
public sealed interface Admission {
    /** It is served here. */
    Admission HERE = new Here();

    /** It is served here. */
    record Here() implements Admission {}

    /**
     * Another node owns the stream: the publisher is relayed to it.
     *
     * @param address of its RTMP listener
     * @param next decides again when that node does not take the publisher, or {@code ACCEPTED} it
     *     and is lost; the encoder is held meanwhile. May block for some seconds
     */
    record Relay(
            NodeRef owner,
            InetSocketAddress address,
            Function<PublishAttempt.Reply, Admission> next)
            implements Admission {}

    /**
     * A publisher that another node relays, while this one does not own the stream: that node looks
     * for the owner again.
     */
    record NotOwner() implements Admission {}

    /**
     * @param description for the encoder's log
     */
    record Refused(String description) implements Admission {}
}
