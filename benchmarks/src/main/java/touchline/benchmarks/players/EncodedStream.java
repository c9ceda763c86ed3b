package touchline.benchmarks.players;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/** A recorded stream and its encoder, which sends numbered frames. Owned by one thread. */
final class EncodedStream implements AutoCloseable {
    private static final long ROUND_MS = 2;
    private static final Duration AWAY = Duration.ofSeconds(3);
    private static final Duration ASSET_LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(50);

    /** GOPs of 2 s make segments of 4 s. */
    private static final long SEGMENT_MS = 4000;

    /** Until the playlist has the segment. */
    private static final long LISTED_MS = 200;

    private static final String ASSETS = "/video-streams/v1/assets";

    private final TouchlineServer server;
    private final LiveAddress address;
    private final Media media;
    private Senders senders;

    /** What encoders send, each frame size once in memory. */
    record Media(PushMedia small, PushMedia smaller) {
        /**
         * @param seconds that an encoder sends at most
         */
        static Media of(long seconds) throws IOException, InterruptedException {
            return new Media(
                    CameraSource.NUMBERED_SMALL.media(seconds),
                    CameraSource.NUMBERED_SMALLER.media(seconds));
        }

        private PushMedia of(CameraSource source) {
            return source == CameraSource.NUMBERED_SMALLER ? smaller : small;
        }
    }

    private EncodedStream(
            TouchlineServer server, LiveAddress address, Media media, Senders senders) {
        this.server = server;
        this.address = address;
        this.media = media;
        this.senders = senders;
    }

    /** Creates a stream and starts its encoder. */
    static EncodedStream start(TouchlineServer server, String latencyMode, Media media)
            throws Exception {
        LiveAddress address =
                server.stream(
                        "{\"latency_mode\":\"%s\",\"reconnect_window\":60,\"record\":true}"
                                .formatted(latencyMode));
        return new EncodedStream(
                server, address, media, push(address, media.of(CameraSource.NUMBERED_SMALL)));
    }

    /**
     * Creates a stream with further settings and starts its encoder.
     *
     * @param more members of a JSON object
     */
    static EncodedStream start(TouchlineServer server, String latencyMode, String more, Media media)
            throws Exception {
        LiveAddress address =
                server.stream(
                        "{\"latency_mode\":\"%s\",\"reconnect_window\":120,\"record\":true,%s}"
                                .formatted(latencyMode, more));
        return new EncodedStream(
                server, address, media, push(address, media.of(CameraSource.NUMBERED_SMALL)));
    }

    private static Senders push(LiveAddress address, PushMedia media) throws IOException {
        return Senders.start(List.of(address), media, ROUND_MS);
    }

    URI watch() {
        return address.watch();
    }

    /** Push of frame 0, by the wall clock. */
    double startMs() {
        return senders.startEpochMs();
    }

    /** Waits until the encoder has sent so much. */
    void awaitMedia(Duration atLeast) throws InterruptedException {
        Duration sent = Duration.ofNanos(System.nanoTime() - senders.startNs());
        if (sent.compareTo(atLeast) < 0) {
            Thread.sleep(atLeast.minus(sent));
        }
    }

    /**
     * Waits until a segment of {@code standard} has just ended: players start at a distance from
     * the end of the playlist, so that one that begins later is that much further behind.
     */
    void awaitSegment() throws InterruptedException {
        long nowMs = (System.nanoTime() - senders.startNs()) / 1_000_000;
        Thread.sleep(SEGMENT_MS - (nowMs - LISTED_MS) % SEGMENT_MS);
    }

    /** The encoder disconnects, returns after 3 s, and begins again with frame 0. */
    void leaveAndReturn(CameraSource with) throws Exception {
        senders.requireAlive();
        senders.close();
        Thread.sleep(AWAY);
        senders = push(address, media.of(with));
    }

    /** The encoder loses its connection. */
    void leave() throws IOException {
        senders.requireAlive();
        senders.close();
    }

    /** The encoder sends again, from frame 0 on. */
    void comeBack() throws Exception {
        senders = push(address, media.of(CameraSource.NUMBERED_SMALL));
    }

    /** How many sessions the stream has had. */
    int sessions() throws Exception {
        return server.get("/live/v1/live-streams/" + address.id() + "/sessions").size();
    }

    /** The recording while it grows. */
    URI growingAsset() throws Exception {
        return asset(/* finished= */ false);
    }

    /** Ends the session; returns its recording when it is ready. */
    URI finishedAsset() throws Exception {
        close();
        server.call("PUT", "/live/v1/live-streams/" + address.id() + "/complete", "");
        return asset(/* finished= */ true);
    }

    private URI asset(boolean finished) throws Exception {
        long deadlineNs = System.nanoTime() + ASSET_LIMIT.toNanos();
        while (System.nanoTime() < deadlineNs) {
            List<JsonNode> found = new ArrayList<>();
            server.each(ASSETS + "?live_stream_id=" + address.id(), found::add);
            for (JsonNode asset : found) {
                boolean live = asset.path("is_live").asBoolean();
                boolean ready = asset.path("status").asText().equals("ready");
                if (finished ? ready && !live : live) {
                    return server.playback(asset.at("/playback_ids/0/id").asText() + ".m3u8");
                }
            }
            Thread.sleep(POLL);
        }
        throw new IOException("no asset of " + address.id() + " within " + ASSET_LIMIT);
    }

    void requireAlive() throws IOException {
        senders.requireAlive();
    }

    @Override
    public void close() throws IOException {
        senders.close();
    }
}
