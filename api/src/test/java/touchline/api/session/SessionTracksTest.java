package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.FeedReader;
import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.Role;
import touchline.media.hub.TrackLabel;
import touchline.media.hub.TrackNumber;
import touchline.testing.Await;
import touchline.testing.SettableClock;
import touchline.testing.SyntheticStream;

/** Which further tracks of a publisher are served. */
class SessionTracksTest {
    private static final StreamId STREAM = new StreamId("live_1");
    private static final SyntheticStream MEDIA = SyntheticStream.standard().bFrames(0);

    private final SettableClock clock = new SettableClock();
    private final LiveStreams streams =
            new LiveStreams(clock, clock::nanoTime, clock.timer(), new Silent());
    private final Packaging packaging = new Packaging();
    private final TrackCounters counters = new TrackCounters();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final AtomicLong nowNs = new AtomicLong(1);
    private final Publication publication =
            streams.publish(
                    new PublishRequest(STREAM, Role.MAIN, Duration.ofSeconds(60), "a", _ -> {}));

    @AfterEach
    void close() {
        publication.close();
    }

    private LiveStream live() {
        return streams.active(STREAM, Role.MAIN).orElseThrow();
    }

    /** Sends a second of the first tracks, and of further ones of each kind. */
    private void send(int furtherVideo, int furtherAudio) {
        publication.begin(MEDIA.tracks());
        for (AccessUnit unit : MEDIA.seconds(1).published(0)) {
            publication.write(unit);
            boolean video = unit.track().isVideo();
            for (int i = 1; i <= (video ? furtherVideo : furtherAudio); i++) {
                publication.writeFurther(new TrackNumber(video, i), unit);
            }
        }
        publication.flush();
    }

    private SessionTracks serve() {
        SessionTracks tracks =
                new SessionTracks(
                        live(),
                        counters,
                        (code, _) -> warnings.add(code),
                        nowNs::get,
                        /* tickNs= */ 10_000_000);
        tracks.start(packaging);
        return tracks;
    }

    @Test
    void tracksThatSend_areServedAtOnce_underNamesOfTheirOwn() {
        send(2, 2);
        publication.describe(Map.of(new TrackNumber(false, 1), new TrackLabel("es", "")));
        try (SessionTracks tracks = serve()) {
            assertEquals(
                    Set.of("720p", "720p-2", "audio-1", "audio-2"), packaging.running.keySet());
            assertEquals(Set.of(720), tracks.heights());
            assertTrue(tracks.serves("720p-2"));
            assertFalse(tracks.serves("audio-1"), "no size");
            assertEquals(2, counters.video());
            assertEquals(2, counters.audio());
            assertEquals(new TrackLabel("", "Main"), packaging.labels.get(""));
            assertEquals(new TrackLabel("es", "Spanish"), packaging.labels.get("audio-1"));
            assertEquals(new TrackLabel("", "Audio 3"), packaging.labels.get("audio-2"));
            assertEquals(4, tracks.status().size());
            assertTrue(tracks.status().stream().allMatch(each -> each.running()));
        }
        assertEquals(0, counters.video() + counters.audio());
    }

    @Test
    void compositor_endsThem_withOneWarning() throws InterruptedException {
        send(1, 1);
        try (SessionTracks tracks = serve()) {
            live().programSwitch().takeOver();
            Await.until(packaging.running::isEmpty);
            Await.until(() -> !warnings.isEmpty());
            assertEquals(List.of("multitrack_scoreboard"), warnings);
            assertFalse(tracks.status().getFirst().running());
            assertEquals(Set.of(), tracks.heights());
        }
    }

    @Test
    void failedRendition_isDropped_andTriedAgainAfterAPause() throws InterruptedException {
        send(1, 0);
        try (SessionTracks tracks = serve()) {
            packaging.failed.add("720p");
            Await.until(() -> counters.dropped() == 1);
            packaging.failed.clear();
            Await.until(() -> warnings.contains("rendition_dropped"));
            assertFalse(packaging.running.containsKey("720p"));
            assertEquals("its media is missing or too late", tracks.status().getFirst().reason());
            nowNs.addAndGet(Duration.ofSeconds(6).toNanos());
            Await.until(() -> packaging.running.containsKey("720p"));
            assertEquals(1, counters.video());
        }
    }

    @Test
    void trackThatAppearsLater_isServed_andEndsWhenItsSourceGoesOnWithoutIt()
            throws InterruptedException {
        send(0, 0);
        try (SessionTracks tracks = serve()) {
            assertEquals(List.of(), tracks.status());
            for (AccessUnit unit : MEDIA.seconds(3).withoutAudio().published(0)) {
                if (unit.dtsTicks() >= 90_000) {
                    publication.write(unit);
                    publication.writeFurther(new TrackNumber(true, 1), unit);
                }
            }
            Await.until(() -> packaging.running.containsKey("720p"));
            // A jump of the first tracks alone begins a timeline.
            MEDIA.seconds(1).published(500_000).forEach(publication::write);
            Await.until(() -> tracks.status().size() == 1);
            Await.until(
                    () -> {
                        nowNs.addAndGet(Duration.ofMillis(100).toNanos());
                        return !packaging.running.containsKey("720p");
                    });
            assertEquals(List.of(), warnings);
        }
    }

    /** Renditions by name. */
    private static final class Packaging implements RenditionPackaging {
        final Map<String, FeedReader> running = new ConcurrentHashMap<>();
        final Map<String, TrackLabel> labels = new ConcurrentHashMap<>();
        final Set<String> failed = ConcurrentHashMap.newKeySet();

        @Override
        public void start(String name, FeedReader units) {
            running.put(name, units);
        }

        @Override
        public void startAudio(String name, FeedReader units) {
            running.put(name, units);
        }

        @Override
        public void label(String name, TrackLabel label) {
            labels.put(name, label);
        }

        @Override
        public void sourceAudio(TrackLabel label) {
            labels.put("", label);
        }

        @Override
        public boolean hasFailed(String name) {
            return failed.contains(name);
        }

        @Override
        public void drop(String name) {
            FeedReader units = running.remove(name);
            if (units != null) {
                units.close();
            }
        }

        @Override
        public Set<String> late() {
            return Set.of();
        }
    }

    private static final class Silent implements LiveStreams.Listener {
        @Override
        public void sessionStarted(LiveStream live) {}

        @Override
        public void publisherConnected(LiveStream live) {}

        @Override
        public void publisherDisconnected(LiveStream live) {}

        @Override
        public void ingestWarning(LiveStream live, IngestReport.Warning warning) {}

        @Override
        public void sessionEnded(LiveStream live, EndReason reason) {}
    }
}
