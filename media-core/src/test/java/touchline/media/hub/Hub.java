package touchline.media.hub;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.testing.SettableClock;
import touchline.testing.SyntheticStream;

/** A hub on a settable clock, with a listener that records its calls. */
final class Hub implements LiveStreams.Listener {
    static final StreamId STREAM = new StreamId("live_1");
    static final Duration WINDOW = Duration.ofSeconds(60);

    final SettableClock clock = new SettableClock();
    final LiveStreams streams =
            new LiveStreams(clock, clock::nanoTime, clock.timer(), /* listener= */ this);
    final List<String> events = new CopyOnWriteArrayList<>();
    final List<String> cuts = new CopyOnWriteArrayList<>();
    final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

    @Override
    public void sessionStarted(LiveStream live) {
        events.add("started");
        subscriptions.add(live.program().subscribe("test", 64L << 20));
    }

    @Override
    public void publisherConnected(LiveStream live) {
        events.add("connected");
    }

    @Override
    public void publisherDisconnected(LiveStream live) {
        events.add("disconnected");
    }

    @Override
    public void ingestWarning(LiveStream live, IngestReport.Warning warning) {
        events.add("warning " + warning.code());
    }

    @Override
    public void standbyStarted(LiveStream live, StandbyReason reason) {
        events.add("standby " + reason);
    }

    @Override
    public void standbyEnded(LiveStream live, StandbyReason reason) {
        events.add("standby ended " + reason);
    }

    @Override
    public void sessionEnded(LiveStream live, EndReason reason) {
        events.add("ended " + reason);
    }

    Publication publish(String name) {
        return publish(name, WINDOW);
    }

    Publication publish(String name, Duration window) {
        return streams.publish(request(name, window));
    }

    Publication publish(String name, long ticket) {
        return streams.publish(request(name, WINDOW), ticket);
    }

    private PublishRequest request(String name, Duration window) {
        return new PublishRequest(
                STREAM, Role.MAIN, window, name, reason -> cuts.add(name + " " + reason));
    }

    LiveStream live() {
        return streams.active(STREAM, Role.MAIN).orElseThrow();
    }

    boolean isActive() {
        return streams.active(STREAM, Role.MAIN).isPresent();
    }

    /** Sends a second of media without B-frames, from that publisher time on. */
    static void send(Publication publication, long startMs) {
        SyntheticStream media = SyntheticStream.standard().seconds(1).bFrames(0);
        publication.begin(media.tracks());
        media.published(startMs).forEach(publication::write);
        publication.flush();
    }

    /** What waits in a subscription; there must be something. */
    static List<FeedItem> read(Subscription subscription) throws InterruptedException {
        List<FeedItem> items = new ArrayList<>();
        subscription.drain(items::add);
        return items;
    }

    /** Timelines as T and their number, interruptions as I, key frames as K; the rest left out. */
    static String outline(List<FeedItem> items) {
        var text = new StringBuilder();
        for (FeedItem item : items) {
            switch (item) {
                case Timeline timeline -> text.append('T').append(timeline.sequence());
                case Interruption _ -> text.append('I');
                case AccessUnit unit -> text.append(unit.isKeyFrame() ? "K" : "");
            }
        }
        return text.toString();
    }
}
