package touchline.api.app;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import touchline.config.RtmpConfig;
import touchline.ingest.PublishDecision;
import touchline.ingest.PublishGate;
import touchline.ingest.rtmp.RtmpServer;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Subscription;

/** Another RTMP server, which keeps what it gets under one stream key. */
final class RestreamTarget implements LiveStreams.Listener, PublishGate, AutoCloseable {
    static final String KEY = "the-key-of-the-target";

    final List<FeedItem> items = new CopyOnWriteArrayList<>();
    final AtomicInteger sessions = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final RtmpServer server;

    RestreamTarget() throws IOException {
        this(0);
    }

    RestreamTarget(int port) {
        server =
                new RtmpServer(
                        config(port),
                        OptionalInt.empty(),
                        Optional.empty(),
                        this,
                        new LiveStreams(InstantSource.system(), timer, this),
                        _ -> true);
        server.start();
    }

    private static RtmpConfig config(int port) {
        return new RtmpConfig(
                "127.0.0.1",
                port,
                4 << 20,
                100,
                0,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Duration.ofSeconds(30));
    }

    int port() {
        return server.port();
    }

    String url() {
        return "rtmp://127.0.0.1:" + server.port() + "/live";
    }

    long connections() {
        return server.counters().accepted();
    }

    List<AccessUnit> units(boolean video) {
        return items.stream()
                .filter(AccessUnit.class::isInstance)
                .map(AccessUnit.class::cast)
                .filter(unit -> unit.track().isVideo() == video)
                .toList();
    }

    long timelines() {
        return items.stream().filter(Timeline.class::isInstance).count();
    }

    @Override
    public PublishDecision decide(String streamKey) {
        return streamKey.equals(KEY)
                ? new PublishDecision.Main(new StreamId("str_target"), Duration.ZERO)
                : new PublishDecision.Refused(
                        PublishDecision.Reason.BAD_NAME, "no stream " + streamKey);
    }

    @Override
    public Optional<String> refusal(CodecConfig codec) {
        return Optional.empty();
    }

    @Override
    public void sessionStarted(LiveStream live) {
        sessions.incrementAndGet();
        Subscription reader = live.source().subscribe("target", 256L << 20);
        Thread.ofVirtual().start(() -> read(reader));
    }

    @Override
    public void sessionEnded(LiveStream live, EndReason reason) {}

    private void read(Subscription reader) {
        try (reader) {
            boolean more = true;
            while (more) {
                more = reader.drain(items::add);
            }
            // Its units are all there.
            ended.incrementAndGet();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.close();
        timer.shutdownNow();
    }
}
