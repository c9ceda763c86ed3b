package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.cluster.ownership.ResumeRecord;
import touchline.api.db.Epoch;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Records;
import touchline.api.domain.Session;
import touchline.ingest.PublishDecision;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;
import touchline.testing.Await;

/** A session whose server has ended goes on at another one. */
@Timeout(120)
final class SessionTakeoverTest {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int FIRST_INIT = 8;

    @TempDir private Path folder;
    private SupervisorFixture fixture;

    /** A node of a cluster that owns every stream. */
    private static final class Owner implements StreamAdmission {
        private final List<ResumeRecord> records = new CopyOnWriteArrayList<>();
        private final List<Long> parts = new CopyOnWriteArrayList<>();
        private final List<Long> settled = new CopyOnWriteArrayList<>();
        private final Queue<Resumption> resumptions;
        private final long first;

        Owner(long first, List<Resumption> resumptions) {
            this.first = first;
            this.resumptions = new ConcurrentLinkedQueue<>(resumptions);
        }

        @Override
        public Admission admit(StreamId stream) {
            return Admission.HERE;
        }

        @Override
        public Epoch epoch(StreamId stream) {
            return Epoch.ALONE;
        }

        @Override
        public Optional<Resumption> resumption(StreamId stream) {
            return Optional.ofNullable(resumptions.poll());
        }

        @Override
        public void resumable(StreamId stream, SessionId session, ResumeRecord record) {
            records.add(record);
        }

        @Override
        public Optional<ReservedNumbers> numbers(StreamId stream, SessionId session) {
            return Optional.of(
                    new ReservedNumbers() {
                        @Override
                        public long first() {
                            return first;
                        }

                        @Override
                        public int firstInit() {
                            return 0;
                        }

                        @Override
                        public void settle(long next) {
                            settled.add(next);
                        }

                        @Override
                        public boolean awaitPart(long mediaSequence) {
                            parts.add(mediaSequence);
                            return true;
                        }

                        @Override
                        public boolean awaitInit(int number) {
                            return true;
                        }
                    });
        }
    }

    @BeforeEach
    void open() {
        fixture = new SupervisorFixture(folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Instant dateOfGap(String playlist) {
        String date = "#EXT-X-GAP\n#EXT-X-PROGRAM-DATE-TIME:";
        int at = playlist.indexOf(date) + date.length();
        return Instant.parse(playlist.substring(at, playlist.indexOf('\n', at)));
    }

    /** Publishes one segment, which begins with number 100. */
    private ResumeRecord record() {
        fixture.streams.patch(
                fixture.stream.id(), settings -> Records.with(settings, "record", true));
        Owner node = new Owner(100, List.of());
        fixture.join(node);
        assertInstanceOf(PublishDecision.Main.class, fixture.decision());
        fixture.publish(WINDOW).close();
        Await.until(() -> !node.records.isEmpty());
        Await.until(() -> fixture.events.contains("live_stream.disconnected"));
        return node.records.getFirst();
    }

    private List<String> streamEvents() {
        return fixture.events.stream().filter(each -> each.startsWith("live_stream.")).toList();
    }

    private Resumption resumption(SessionId session, ResumeRecord record) {
        Instant now = fixture.clock.instant();
        return new Resumption(
                session,
                record,
                record.newest().number() + 3,
                FIRST_INIT,
                now.minusSeconds(2),
                now.plusSeconds(30));
    }

    @Test
    void firstSealedSegment_sendsWhatASuccessorNeeds() {
        ResumeRecord record = record();
        LiveStream live = fixture.supervisor.active(fixture.stream.id()).orElseThrow();

        assertEquals(live.startedAt().orElseThrow().toEpochMilli(), record.sessionStartedAtMs());
        assertEquals(LatencyMode.STANDARD.wireName(), record.latencyMode());
        assertEquals(60_000, record.windowMs());
        assertEquals(100, record.newest().number());
        assertEquals(1_000_000, record.newest().durationUs());
        assertEquals(4, record.targetDurationS());
        assertEquals(1, record.nextInit());
        assertEquals(1, record.nextTimeline());
        assertTrue(
                fixture.playlist()
                        .contains(
                                "#EXT-X-PROGRAM-DATE-TIME:"
                                        + Instant.ofEpochMilli(record.newest().dateMs())
                                                .toString()
                                                .replace("00Z", "00.000Z")),
                fixture.playlist());
        assertEquals(
                fixture.recording().stream().map(each -> each.id().value()).findFirst(),
                Optional.ofNullable(record.assetId()));
    }

    @Test
    void publish_atAnotherNode_continuesTheSession() {
        ResumeRecord record = record();
        LiveStream before = fixture.supervisor.active(fixture.stream.id()).orElseThrow();
        SessionId session = before.session();
        fixture.clock.advance(Duration.ofSeconds(6));
        // For the next session.
        fixture.streams.patch(
                fixture.stream.id(),
                settings -> Records.with(settings, "latencyMode", LatencyMode.LOW));
        Owner node = new Owner(103, List.of(resumption(session, record)));
        fixture.takeOver(node);

        assertInstanceOf(PublishDecision.Main.class, fixture.decision());

        LiveStream live = fixture.supervisor.active(fixture.stream.id()).orElseThrow();
        assertEquals(session, live.session());
        assertEquals(before.startedAt(), live.startedAt());
        assertTrue(live.disconnectedAt().isPresent());
        fixture.publish(WINDOW).close();
        Await.until(
                () ->
                        !fixture.shown().isEmpty()
                                && fixture.shown().getFirst().multivariant("").isPresent());
        String playlist = fixture.playlist();
        // A gap in place of the newest segment there.
        assertTrue(playlist.contains("#EXT-X-MEDIA-SEQUENCE:102\n"), playlist);
        assertEquals(Instant.ofEpochMilli(record.newest().dateMs()), dateOfGap(playlist));
        assertTrue(playlist.contains("#EXT-X-DISCONTINUITY-SEQUENCE:0\n"), playlist);
        assertTrue(playlist.contains("#EXT-X-TARGETDURATION:4\n"), playlist);
        assertTrue(playlist.contains("#EXT-X-MAP:URI=\"init8.mp4\""), playlist);
        assertEquals(103, node.parts.getFirst());
        Await.until(() -> streamEvents().size() == 5);
        assertEquals(
                List.of(
                        "live_stream.connected",
                        "live_stream.active",
                        "live_stream.disconnected",
                        "live_stream.connected",
                        "live_stream.disconnected"),
                streamEvents());
        Await.until(() -> !node.records.isEmpty());
        ResumeRecord next = node.records.getFirst();
        assertEquals(record.sessionStartedAtMs(), next.sessionStartedAtMs());
        assertEquals(record.partTargetUs(), next.partTargetUs());
        assertEquals(record.zeroUs(), next.zeroUs());
        // The encoder was away: media time goes on like the wall clock.
        assertTrue(next.newest().startUs() >= record.newest().endUs(), next.toString());
        assertEquals(1, next.nextInit());
        assertTrue(next.playlistVersion() > record.playlistVersion());
        assertNotEquals(record.assetId(), next.assetId());
        // Each asset stores its own beginning.
        Await.until(() -> fixture.recording().size() == 2);
        List<Boolean> fromStart =
                fixture.recording().stream()
                        .map(Asset::origin)
                        .map(AssetOrigin.Recorded.class::cast)
                        .filter(each -> each.session().equals(session))
                        .map(AssetOrigin.Recorded::fromStart)
                        .sorted()
                        .toList();
        assertEquals(List.of(false, true), fromStart);
    }

    @Test
    void secondPublisher_admittedAtTheSameTime_findsTheSession() {
        ResumeRecord record = record();
        SessionId session = fixture.supervisor.active(fixture.stream.id()).orElseThrow().session();
        fixture.takeOver(new Owner(103, List.of(resumption(session, record))));
        Queue<PublishDecision> decisions = new ConcurrentLinkedQueue<>();
        Queue<Thread> publishers = new ArrayDeque<>();
        for (int i = 0; i < 4; i++) {
            publishers.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        PublishDecision decision = fixture.decision();
                                        if (fixture.supervisor
                                                .active(fixture.stream.id())
                                                .isPresent()) {
                                            decisions.add(decision);
                                        }
                                    }));
        }

        Await.until(() -> publishers.stream().noneMatch(Thread::isAlive));

        assertEquals(4, decisions.size());
        assertEquals(
                session, fixture.supervisor.active(fixture.stream.id()).orElseThrow().session());
    }

    @Test
    void resumption_ofASessionThatHasEnded_beginsANewOne() {
        ResumeRecord record = record();
        SessionId session = fixture.supervisor.active(fixture.stream.id()).orElseThrow().session();
        fixture.clock.advance(WINDOW);
        Await.until(() -> fixture.events.contains("live_stream.idle"));
        fixture.takeOver(new Owner(103, List.of(resumption(session, record))));

        assertInstanceOf(PublishDecision.Main.class, fixture.decision());
        fixture.publish(WINDOW);

        Await.until(() -> fixture.supervisor.active(fixture.stream.id()).isPresent());
        assertNotEquals(
                session, fixture.supervisor.active(fixture.stream.id()).orElseThrow().session());
    }

    @Test
    void resumed_withoutItsEncodersReturn_endsAfterItsWindow() {
        ResumeRecord record = record();
        SessionId session = fixture.supervisor.active(fixture.stream.id()).orElseThrow().session();
        fixture.takeOver(new Owner(103, List.of(resumption(session, record))));
        assertInstanceOf(PublishDecision.Main.class, fixture.decision());

        fixture.clock.advance(Duration.ofSeconds(31));

        Await.until(() -> fixture.sessions.find(session).flatMap(Session::end).isPresent());
        assertFalse(fixture.supervisor.active(fixture.stream.id()).isPresent());
    }

    @Test
    void stop_ofTheNode_sendsTheNewestStateAndReturnsTheNumbers() {
        Owner node = new Owner(100, List.of());
        fixture.join(node);
        assertInstanceOf(PublishDecision.Main.class, fixture.decision());
        fixture.publish(WINDOW);
        Await.until(() -> fixture.supervisor.active(fixture.stream.id()).isPresent());
        Await.until(() -> !fixture.shown().isEmpty());

        fixture.stop(Duration.ZERO);

        assertEquals(List.of(101L), node.settled);
        assertEquals(100, node.records.getLast().newest().number());
    }
}
