package touchline.ingest.rtmp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Subscription;

/** Reads one session to its end, as a packager would. */
final class SessionCollector implements LiveStreams.Listener {
    private final CompletableFuture<LiveStream> started = new CompletableFuture<>();
    private final CompletableFuture<List<FeedItem>> collected = new CompletableFuture<>();

    @Override
    public void sessionStarted(LiveStream live) {
        Subscription subscription = live.source().subscribe("collector", 256L << 20);
        started.complete(live);
        Thread.ofVirtual().start(() -> collect(subscription));
    }

    @Override
    public void sessionEnded(LiveStream live, EndReason reason) {}

    LiveStream started() throws Exception {
        return started.get(30, TimeUnit.SECONDS);
    }

    /** Everything that flowed, once the session has ended. */
    List<FeedItem> collected() throws Exception {
        return collected.get(60, TimeUnit.SECONDS);
    }

    static List<AccessUnit> units(List<FeedItem> items, boolean video) {
        return items.stream()
                .filter(AccessUnit.class::isInstance)
                .map(AccessUnit.class::cast)
                .filter(unit -> unit.track().isVideo() == video)
                .toList();
    }

    static List<Timeline> timelines(List<FeedItem> items) {
        return items.stream().filter(Timeline.class::isInstance).map(Timeline.class::cast).toList();
    }

    private void collect(Subscription subscription) {
        List<FeedItem> items = new ArrayList<>();
        try (subscription) {
            boolean more = true;
            while (more) {
                more = subscription.drain(items::add);
            }
            collected.complete(List.copyOf(items));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            collected.completeExceptionally(e);
        }
    }
}
