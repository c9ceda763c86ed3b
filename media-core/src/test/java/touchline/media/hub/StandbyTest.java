package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.testing.SyntheticStream;

@Timeout(120)
final class StandbyTest {
    private static final Duration AFTER = Duration.ofMillis(1_500);

    private final Hub hub = new Hub();
    private final List<StandbyRequest> requests = new ArrayList<>();

    /** Repeats a GOP of half a second, and silence. */
    private CompletableFuture<StandbyMedia> make(StandbyRequest request) {
        requests.add(request);
        return CompletableFuture.completedFuture(media());
    }

    private static StandbyMedia media() {
        List<AccessUnit> units =
                SyntheticStream.standard().bFrames(0).gopFrames(15).seconds(0.5).units();
        List<AccessUnit> frames = units.stream().filter(unit -> unit.track().isVideo()).toList();
        List<AccessUnit> audio =
                units.stream().filter(unit -> !unit.track().isVideo()).limit(1).toList();
        return new StandbyMedia(
                List.of(
                        new StandbyMedia.Loop(SyntheticStream.VIDEO_TRACK, frames, 45_000),
                        new StandbyMedia.Loop(SyntheticStream.AUDIO_TRACK, audio, 1_024)));
    }

    private static StandbySettings settings(StandbySettings.Mode mode) {
        return new StandbySettings(mode, AFTER, Optional.empty(), "");
    }

    /** A second of media from an encoder that is connected, with a standby of this kind. */
    private Publication sending(StandbySettings.Mode mode) {
        Publication publication = hub.publish("a");
        Hub.send(publication, 0);
        hub.live().standby().follow(settings(mode), this::make);
        hub.events.clear();
        return publication;
    }

    private List<FeedItem> read() throws InterruptedException {
        return Hub.read(hub.subscriptions.getFirst());
    }

    private Optional<StandbyReason> reason() {
        return hub.live().standby().status().map(Standby.Status::reason);
    }

    @Test
    void encoderDisconnects_standbyFillsTheTimeWithoutMedia_andGoesOnInRealTime()
            throws InterruptedException {
        sending(StandbySettings.Mode.FREEZE).close();

        hub.clock.advance(AFTER.minusMillis(1));
        assertEquals(Optional.empty(), reason());
        assertEquals(1, requests.size());
        assertEquals("T0KI", Hub.outline(read()));
        assertTrue(requests.getFirst().gop().size() > 29, "the GOP of the last frame");

        hub.clock.advance(Duration.ofMillis(1));
        assertEquals(Optional.of(StandbyReason.ENCODER_LOST), reason());
        List<FeedItem> standby = read();
        Timeline timeline = (Timeline) standby.getFirst();
        assertEquals(hub.clock.instant().minus(AFTER), timeline.startedAt());
        assertLength(AFTER, timeline, standby);

        hub.clock.advance(Duration.ofSeconds(2));
        standby.addAll(read());
        assertEquals("T1KKKKKKKK", Hub.outline(standby));
        assertLength(AFTER.plusSeconds(2), timeline, standby);
        LiveStreamsTest.assertRising(standby);
        assertEquals(List.of("disconnected", "standby ENCODER_LOST"), hub.events);
    }

    private static void assertLength(Duration expected, Timeline timeline, List<FeedItem> items) {
        AccessUnit last = (AccessUnit) items.getLast();
        long missingUs = expected.toNanos() / 1000 - (last.dtsUs() - timeline.startUs());
        assertTrue(Math.abs(missingUs) <= 40_000, expected + " less " + missingUs + " us");
    }

    @Test
    void encoderStalls_standbyWrites_andEndsWithItsNextKeyFrame() throws InterruptedException {
        Publication encoder = sending(StandbySettings.Mode.SLATE);
        List<FeedItem> all = new ArrayList<>(read());

        hub.clock.advance(AFTER.plusSeconds(1));
        assertEquals(Optional.of(StandbyReason.ENCODER_LOST), reason());
        assertEquals(List.of(), requests.getFirst().gop());
        assertEquals(LiveStream.State.PUBLISHING, hub.live().state());
        List<AccessUnit> media =
                SyntheticStream.standard().bFrames(0).gopFrames(30).seconds(3).published(0);
        media.stream().filter(unit -> unit.dtsUs() >= 1_500_000).forEach(encoder::write);
        encoder.flush();

        assertEquals(Optional.empty(), reason());
        all.addAll(read());
        assertEquals("T0KT1KKKKKKT2K", Hub.outline(all));
        LiveStreamsTest.assertRising(all);
        assertEquals(List.of("standby ENCODER_LOST", "standby ended ENCODER_LOST"), hub.events);
    }

    /** The pause has had media made, of a frame that is not the last one any more. */
    @Test
    void encoderPausesAndGoesOn_thenDisconnects_itsLastFrameIsShown() {
        Publication encoder = sending(StandbySettings.Mode.FREEZE);
        hub.clock.advance(AFTER.dividedBy(2));
        assertEquals(1, requests.size());

        Hub.send(encoder, 1_000);
        encoder.close();
        hub.clock.advance(AFTER);

        assertEquals(Optional.of(StandbyReason.ENCODER_LOST), reason());
        assertEquals(2, requests.size());
        List<AccessUnit> gop = requests.getLast().gop();
        assertTrue(gop.size() > 29, gop.size() + " units");
        assertTrue(gop.getFirst().dtsUs() >= 1_000_000, gop.getFirst()::toString);
    }

    @Test
    void encoderBackInTime_noStandby_andWatchedAgain() throws InterruptedException {
        Publication first = sending(StandbySettings.Mode.FREEZE);
        first.close();
        hub.clock.advance(AFTER.minusMillis(100));

        Publication second = hub.publish("b");
        Hub.send(second, 0);
        hub.clock.advance(AFTER.minusMillis(100));
        assertEquals(Optional.empty(), reason());
        assertEquals("T0KIT1K", Hub.outline(read()));

        hub.clock.advance(Duration.ofMillis(100));
        assertEquals(Optional.of(StandbyReason.ENCODER_LOST), reason());
        assertEquals(List.of("disconnected", "connected", "standby ENCODER_LOST"), hub.events);
    }

    @Test
    void reconnectWindowOver_endsStandbyAndSession() {
        sending(StandbySettings.Mode.FREEZE).close();
        LiveStream live = hub.live();

        hub.clock.advance(Hub.WINDOW);

        assertFalse(hub.isActive());
        assertEquals(Optional.empty(), live.standby().status());
        assertEquals(
                List.of(
                        "disconnected",
                        "standby ENCODER_LOST",
                        "standby ended ENCODER_LOST",
                        "ended PUBLISHER_GONE"),
                hub.events);
        assertEquals(0, hub.clock.waitingTasks());
    }

    @Test
    void force_keepsThePublicationOut_untilRelease() throws InterruptedException {
        Publication encoder = sending(StandbySettings.Mode.SLATE);
        assertTrue(hub.live().standby().force(StandbyReason.OPERATOR));
        hub.clock.advance(Duration.ofSeconds(1));
        assertEquals(Optional.of(StandbyReason.OPERATOR), reason());
        read();

        Hub.send(encoder, 1_000);
        assertEquals("", Hub.outline(pollUnits(Duration.ofMillis(100))));

        hub.live().standby().release();
        assertEquals(Optional.of(StandbyReason.OPERATOR), reason());
        Hub.send(encoder, 2_000);
        assertEquals(Optional.empty(), reason());
        assertEquals("T2K", Hub.outline(read()));
        assertEquals(List.of("standby OPERATOR", "standby ended OPERATOR"), hub.events);
    }

    @Test
    void force_encoderReconnectsMeanwhile_isConnectedAndKeptOut() {
        sending(StandbySettings.Mode.SLATE).close();
        hub.live().standby().force(StandbyReason.OPERATOR);
        hub.clock.advance(Duration.ofSeconds(1));

        Hub.send(hub.publish("b"), 0);

        assertEquals(LiveStream.State.PUBLISHING, hub.live().state());
        assertEquals(Optional.of(StandbyReason.OPERATOR), reason());
        assertEquals(List.of("disconnected", "standby OPERATOR", "connected"), hub.events);
    }

    @Test
    void release_encoderGone_goesOnAsLost() {
        Publication encoder = sending(StandbySettings.Mode.SLATE);
        hub.live().standby().force(StandbyReason.OPERATOR);
        hub.clock.advance(Duration.ofSeconds(1));
        encoder.close();

        hub.live().standby().release();

        assertEquals(Optional.of(StandbyReason.ENCODER_LOST), reason());
        assertEquals(
                List.of(
                        "standby OPERATOR",
                        "disconnected",
                        "standby ended OPERATOR",
                        "standby ENCODER_LOST"),
                hub.events);
    }

    @Test
    void rejected_neverFreezes_replacesAFrozenFrame() throws InterruptedException {
        sending(StandbySettings.Mode.FREEZE);
        Standby standby = hub.live().standby();
        standby.force(StandbyReason.OPERATOR);
        hub.clock.advance(Duration.ofMillis(100));
        read();

        standby.force(StandbyReason.REJECTED);
        hub.clock.advance(Duration.ofMillis(100));

        assertFalse(requests.getFirst().gop().isEmpty());
        assertEquals(List.of(), requests.get(1).gop());
        assertEquals(Optional.of(StandbyReason.REJECTED), reason());
        assertEquals("T2K", Hub.outline(read()));
    }

    @Test
    void follow_none_stopsTheStandby() throws InterruptedException {
        sending(StandbySettings.Mode.SLATE).close();
        hub.clock.advance(AFTER.plusMillis(100));
        read();

        hub.live().standby().follow(StandbySettings.NONE, this::make);

        assertEquals(Optional.empty(), reason());
        assertEquals("I", Hub.outline(read()));
        assertEquals(1, hub.clock.waitingTasks(), "the reconnect window");
    }

    @Test
    void mediaCannotBeMade_encoderReturnsAsWithoutStandby() throws InterruptedException {
        Publication encoder = hub.publish("a");
        Hub.send(encoder, 0);
        Standby standby = hub.live().standby();
        standby.follow(
                settings(StandbySettings.Mode.FREEZE),
                _ -> CompletableFuture.failedFuture(new IllegalStateException("no encoder")));
        standby.force(StandbyReason.OPERATOR);
        hub.clock.advance(Duration.ofSeconds(1));

        assertEquals(Optional.empty(), reason());
        Hub.send(encoder, 1_000);
        assertEquals("T0KIT1K", Hub.outline(read()));
    }

    @Test
    void standby_isNoMeasurementOfTheEncoder() {
        sending(StandbySettings.Mode.SLATE).close();
        IngestReport before = hub.live().report();

        hub.clock.advance(Duration.ofSeconds(10));

        assertEquals(before.bytes(), hub.live().report().bytes());
        assertEquals(before.tracks(), hub.live().report().tracks());
    }

    @Test
    void slowVideoWithoutAudio_hasNotStoppedBetweenItsFrames() {
        Publication encoder = hub.publish("a");
        SyntheticStream media =
                SyntheticStream.standard().withoutAudio().bFrames(0).frameRate(2).seconds(2);
        encoder.begin(media.tracks());
        media.published(0).forEach(encoder::write);
        hub.live().standby().follow(settings(StandbySettings.Mode.SLATE), this::make);

        hub.clock.advance(AFTER.minusMillis(1));
        assertEquals(Optional.empty(), reason());
        hub.live()
                .standby()
                .follow(
                        new StandbySettings(
                                StandbySettings.Mode.SLATE,
                                StandbySettings.MIN_AFTER,
                                Optional.empty(),
                                ""),
                        this::make);
        assertEquals(Optional.empty(), reason(), "three frames are 1.5 s");
        hub.clock.advance(Duration.ofMillis(2));
        assertEquals(Optional.of(StandbyReason.ENCODER_LOST), reason());
    }

    @Test
    void manyReturns_areNoJumpsOfTheEncoder() {
        Publication encoder = sending(StandbySettings.Mode.SLATE);
        for (int i = 1; i <= 2 * TimelineLimit.MOST; i++) {
            hub.clock.advance(AFTER);
            Hub.send(encoder, 1_000L * i);
        }
        assertEquals(List.of(), hub.cuts);
    }

    /** What has come within a time; frames of the standby are no key frames every time. */
    private List<FeedItem> pollUnits(Duration within) throws InterruptedException {
        hub.clock.advance(within);
        return read().stream()
                .filter(item -> !(item instanceof AccessUnit unit && unit.isKeyFrame()))
                .toList();
    }
}
