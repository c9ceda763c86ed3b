package touchline.ingest.rtmp;

import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import touchline.ingest.RelayKey;
import touchline.ingest.amf.AmfValue;

/**
 * What all relays of a server share. One per server of a cluster; any thread.
 *
 * @param connections tracks those to owners, so that they close with the server
 */
record RtmpRelays(
        RelayKey key,
        Supplier<Limits> times,
        RtmpConnector connector,
        PublishAdmission admission,
        RtmpCounters counters,
        ChannelGroup connections) {
    /** The app of an RTMP address; the owner takes any. */
    private static final String APP = "live";

    /** A message of usual size is one chunk, also a key frame. */
    static final int CHUNK_BYTES = 1 << 20;

    /** Capabilities of an encoder, which the owner sees as they are (Enhanced RTMP v2). */
    private static final String[] FORWARDED = {
        "flashVer", "fourCcList", "videoFourCcInfoMap", "audioFourCcInfoMap", "capsEx"
    };

    /**
     * Times of a relay.
     *
     * @param connect for the connection, and again for the answer to connect
     * @param publish from its begin to the owner's answer to publish
     * @param hold longest time for which an encoder is held without an owner
     * @param silence of an owner that answers no ping, after which it is lost
     * @param stall longest time in which the network takes nothing of what is sent
     */
    record Limits(
            Duration connect, Duration publish, Duration hold, Duration silence, Duration stall) {
        static final Limits USUAL =
                new Limits(
                        Duration.ofMillis(1_500),
                        Duration.ofSeconds(4),
                        Duration.ofSeconds(12),
                        Duration.ofSeconds(6),
                        Duration.ofSeconds(20));
    }

    Limits limits() {
        return times.get();
    }

    /**
     * An encoder that is to be relayed.
     *
     * @param connection its own
     * @param connect its command
     */
    record Encoder(EncoderConnection connection, AmfValue connect) {
        EventLoop loop() {
            return connection.channel().eventLoop();
        }
    }

    /** What the relay sends to an owner first. */
    PushOpening opening(PublishAdmission.Relayed to, RtmpTarget target, Encoder encoder) {
        Map<String, AmfValue> properties = new LinkedHashMap<>();
        for (String name : FORWARDED) {
            encoder.connect().property(name).ifPresent(value -> properties.put(name, value));
        }
        RelayCredential credential =
                RelayCredential.issue(
                        key,
                        to.owner(),
                        to.streamKey(),
                        encoder.connection().address(),
                        InstantSource.system().instant());
        properties.put(RelayCredential.PROPERTY, credential.property());
        return new PushOpening(
                PushCommands.connect(target, properties), to.streamKey(), CHUNK_BYTES);
    }

    static RtmpTarget target(PublishAdmission.Relayed to) {
        return new RtmpTarget(
                /* tls= */ false,
                to.owner().address().getHostString(),
                to.owner().address().getPort(),
                APP);
    }
}
