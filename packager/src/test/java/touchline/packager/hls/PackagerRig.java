package touchline.packager.hls;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import touchline.media.FeedItem;
import touchline.media.SessionId;
import touchline.media.hub.Feed;
import touchline.media.hub.PublishBarrier;
import touchline.media.hub.Subscription;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/** A packager with a feed before it and a window behind it, run on the test's own thread. */
public final class PackagerRig {
    public final CountedMemory memory;
    public final LiveWindow window;
    final CollectingSink sink = new CollectingSink();
    private final Feed feed = new Feed();
    private final Subscription subscription = feed.subscribe("packager", 64 << 20);

    public PackagerRig(LatencyProfile profile) {
        this(settings(profile, 100, false));
    }

    public PackagerRig(LiveWindow.Settings settings) {
        memory = new CountedMemory();
        window = new LiveWindow(settings, memory);
    }

    /** Packages into a window that is there already. */
    public PackagerRig(LiveWindow window, CountedMemory memory) {
        this.memory = memory;
        this.window = window;
    }

    public static LiveWindow.Settings settings(
            LatencyProfile profile, long firstMediaSequence, boolean recorded) {
        return new LiveWindow.Settings(
                new SessionId("session-1"),
                profile,
                Duration.ofSeconds(60),
                firstMediaSequence,
                recorded,
                /* composited= */ false);
    }

    public PackagerRig feed(FeedItem item) {
        feed.offer(item);
        return this;
    }

    public PackagerRig feed(List<? extends FeedItem> items) {
        items.forEach(feed::offer);
        return this;
    }

    /** Ends the feed and packages all of it. */
    public PackagerRig run() {
        return run(PublishBarrier.OPEN, List.of());
    }

    PackagerRig run(PublishBarrier barrier) {
        return run(barrier, List.of());
    }

    /** Starts packaging while media still comes. */
    Thread start() {
        HlsPackager packager =
                new HlsPackager(subscription, memory, window, List.of(sink), PublishBarrier.OPEN);
        return Thread.ofVirtual().name("packager").start(packager);
    }

    /** Wakes the packager, as a publisher does after each read. */
    void flush() {
        feed.flush();
    }

    void end() {
        feed.end();
    }

    public PackagerRig run(PublishBarrier barrier, List<PartSink> more) {
        feed.end();
        List<PartSink> sinks = new ArrayList<>(more);
        sinks.add(sink);
        new HlsPackager(subscription, memory, window, sinks, barrier).run();
        return this;
    }

    /** Ends the feed and packages all of it under these numbers. */
    PackagerRig run(PublishBarrier barrier, SegmentNumbers numbers) {
        feed.end();
        new HlsPackager(subscription, memory, window, List.of(sink), barrier, numbers).run();
        return this;
    }

    public String playlist(PlaylistKind kind) {
        RenderedPlaylist text =
                window.mediaPlaylist(kind).toCompletableFuture().join().orElseThrow();
        String plain = StandardCharsets.UTF_8.decode(text.plain().bytes()).toString();
        text.plain().release();
        text.gzip().release();
        return plain;
    }

    String playlist() {
        return playlist(PlaylistKind.WINDOW);
    }
}
