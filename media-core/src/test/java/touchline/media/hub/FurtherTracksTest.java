package touchline.media.hub;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.testing.SyntheticStream;

/** Further tracks beside the first ones of a publisher, through a publication. */
class FurtherTracksTest {
    private static final SyntheticStream MEDIA = SyntheticStream.standard().bFrames(0);
    private static final TrackNumber VIDEO_1 = new TrackNumber(true, 1);
    private static final TrackNumber AUDIO_1 = new TrackNumber(false, 1);

    private final Hub hub = new Hub();

    /** The first tracks' units as further tracks too. */
    private static void send(Publication publication, SyntheticStream media, long startMs) {
        publication.begin(media.tracks());
        for (AccessUnit unit : media.published(startMs)) {
            publication.write(unit);
            publication.writeFurther(unit.track().isVideo() ? VIDEO_1 : AUDIO_1, unit);
        }
        publication.flush();
    }

    private FurtherTracks tracks() {
        return hub.live().furtherTracks();
    }

    private FurtherTrack track(TrackNumber number) {
        return tracks().list().stream()
                .filter(each -> each.number().equals(number))
                .findFirst()
                .orElseThrow();
    }

    private static List<FeedItem> items(FurtherTrack track) throws InterruptedException {
        List<FeedItem> items = new ArrayList<>();
        try (FeedReader reader = track.subscribe()) {
            reader.drain(items::add);
        }
        return items;
    }

    private static List<AccessUnit> units(List<FeedItem> items) {
        return items.stream()
                .filter(AccessUnit.class::isInstance)
                .map(AccessUnit.class::cast)
                .toList();
    }

    @Test
    void sameUnits_haveTheTimesOfTheSource() throws InterruptedException {
        try (Publication publication = hub.publish("a")) {
            send(publication, MEDIA.seconds(1.9), 123_456);

            List<FeedItem> source = Hub.read(hub.subscriptions.getFirst());
            Timeline timeline = (Timeline) source.getFirst();
            for (TrackNumber number : List.of(VIDEO_1, AUDIO_1)) {
                List<AccessUnit> expected =
                        units(source).stream()
                                .filter(unit -> unit.track().isVideo() == number.video())
                                .toList();
                List<FeedItem> own = items(track(number));
                Timeline begun = (Timeline) own.getFirst();
                assertEquals(timeline.startedAt(), begun.startedAt());
                assertEquals(timeline.startUs(), begun.startUs());
                List<AccessUnit> sent = units(own);
                for (int i = 0; i < sent.size(); i++) {
                    long offTicks = sent.get(i).ptsTicks() - expected.get(i).ptsTicks();
                    assertTrue(Math.abs(offTicks) <= 90, () -> "" + offTicks);
                }
                assertEquals(expected.size(), sent.size());
            }
            assertTrue(track(VIDEO_1).isAligned());
            assertTrue(track(VIDEO_1).bitsPerSecond() > 1_000_000);
            assertTrue(tracks().isSending(track(VIDEO_1)));
        }
    }

    @Test
    void unitsBeforeTheFirstTracks_wait() throws InterruptedException {
        try (Publication publication = hub.publish("a")) {
            publication.begin(MEDIA.tracks());
            List<AccessUnit> units = MEDIA.seconds(1).published(500);
            units.stream()
                    .filter(unit -> unit.track().isVideo())
                    .forEach(unit -> publication.writeFurther(VIDEO_1, unit));
            units.forEach(publication::write);
            publication.flush();

            assertEquals(30, units(items(track(VIDEO_1))).size());
        }
    }

    @Test
    void reconnect_continuesTheTrackInTheNewTimeline() throws InterruptedException {
        FeedReader reader;
        try (Publication publication = hub.publish("a")) {
            send(publication, MEDIA.seconds(1), 0);
            reader = track(VIDEO_1).subscribe();
        }
        FurtherTrack before = track(VIDEO_1);
        assertFalse(tracks().isSending(before));
        hub.clock.advance(Duration.ofSeconds(3));
        try (Publication publication = hub.publish("a")) {
            send(publication, MEDIA.seconds(1), 77_000);
            assertEquals(before, track(VIDEO_1));
            List<FeedItem> items = new ArrayList<>();
            reader.drain(items::add);
            assertEquals("T0KIT1K", Hub.outline(items));
            assertEquals(1, items.stream().filter(Interruption.class::isInstance).count());
            Timeline source = requireNonNull(hub.live().source().timeline());
            Timeline own =
                    (Timeline) items.stream().filter(Timeline.class::isInstance).toList().getLast();
            assertEquals(source.startedAt(), own.startedAt());
        }
    }

    @Test
    void jumpOfAllTracks_movesThemByTheSameAmount() throws InterruptedException {
        try (Publication publication = hub.publish("a")) {
            send(publication, MEDIA.seconds(1), 0);
            FeedReader reader = track(VIDEO_1).subscribe();
            // The further track is the first to jump.
            for (AccessUnit unit : MEDIA.seconds(1).published(500_000)) {
                publication.writeFurther(unit.track().isVideo() ? VIDEO_1 : AUDIO_1, unit);
                publication.write(unit);
            }
            publication.flush();
            List<FeedItem> items = new ArrayList<>();
            reader.drain(items::add);
            assertEquals("T0KT1K", Hub.outline(items));
            assertEquals(60, units(items).size());
            assertTrue(track(VIDEO_1).isAligned());
        }
    }

    @Test
    void otherKeyFrameInterval_isAWarning_andEndsTheTrack() throws InterruptedException {
        List<Integer> changes = new ArrayList<>();
        try (Publication publication = hub.publish("a")) {
            publication.begin(MEDIA.withoutAudio().tracks());
            List<AccessUnit> source = MEDIA.seconds(5).withoutAudio().published(0);
            List<AccessUnit> other = MEDIA.gopFrames(45).seconds(5).withoutAudio().published(0);
            for (int i = 0; i < source.size(); i++) {
                publication.write(source.get(i));
                tracks().listen(() -> changes.add(1));
                publication.writeFurther(VIDEO_1, other.get(i));
            }
            publication.write(source.getLast());
            assertFalse(track(VIDEO_1).isAligned());
            try (FeedReader reader = track(VIDEO_1).subscribe()) {
                assertFalse(reader.drain(_ -> {}), "ended");
            }
        }
        assertEquals(2, changes.size(), "it appeared, and it ended");
        assertTrue(hub.events.contains("warning multitrack_key_frames"), hub.events::toString);
        assertEquals(1, hub.events.stream().filter(each -> each.startsWith("warning")).count());
    }

    @Test
    void trackWithItsKeyFramesBack_isTakenBack() {
        try (Publication publication = hub.publish("a")) {
            publication.begin(MEDIA.withoutAudio().tracks());
            List<AccessUnit> units = MEDIA.gopFrames(15).seconds(12).withoutAudio().published(0);
            FurtherTrack first = null;
            for (int i = 0; i < units.size(); i++) {
                AccessUnit unit = units.get(i);
                publication.write(unit);
                boolean spoilt = i == 30;
                publication.writeFurther(
                        VIDEO_1,
                        spoilt
                                ? new AccessUnit(
                                        unit.track(), unit.dtsTicks(), 0, false, unit.payload())
                                : unit);
                first = first == null ? track(VIDEO_1) : first;
                boolean isBack = i >= 30 + 9 * 15;
                assertEquals(i < 31 || isBack, track(VIDEO_1).isAligned(), "" + i);
            }
            assertFalse(first == track(VIDEO_1));
        }
    }

    @Test
    void anotherPublishersUnits_andTooManyTracks_areDropped() {
        try (Publication publication = hub.publish("a")) {
            publication.begin(MEDIA.tracks());
            for (AccessUnit unit : MEDIA.seconds(1).published(0)) {
                publication.write(unit);
                for (int i = 1; i <= 7; i++) {
                    publication.writeFurther(new TrackNumber(unit.track().isVideo(), i), unit);
                }
            }
            assertEquals(FurtherTracks.MAX_VIDEO + FurtherTracks.MAX_AUDIO, tracks().list().size());
        }
        hub.clock.advance(Duration.ofSeconds(1));
        try (Publication publication = hub.publish("b")) {
            AccessUnit late = MEDIA.seconds(1).published(0).getFirst();
            publication.writeFurther(VIDEO_1, late);
            assertFalse(tracks().isSending(track(VIDEO_1)), "b has no timeline yet");
            publication.begin(MEDIA.tracks());
            TrackNumber other = new TrackNumber(true, 9);
            for (AccessUnit unit : MEDIA.seconds(1).withoutAudio().published(0)) {
                publication.write(unit);
                publication.writeFurther(other, unit);
            }
            assertTrue(tracks().isSending(track(other)), "tracks of a make room");
        }
    }

    @Test
    void labels_areThoseOfTheMetadata() {
        try (Publication publication = hub.publish("a")) {
            send(publication, MEDIA.seconds(1), 0);
            publication.describe(Map.of(AUDIO_1, TrackLabel.of("eng", "Commentary")));
            assertEquals(new TrackLabel("en", "Commentary"), tracks().label(AUDIO_1));
            assertEquals(TrackLabel.NONE, tracks().label(VIDEO_1));
            publication.refusedFurther(new TrackNumber(true, 2), "VP9 is not supported");
            publication.write(MEDIA.seconds(2).withoutVideo().published(1_000).getFirst());
        }
        assertTrue(hub.events.contains("warning multitrack_refused"), hub.events::toString);
    }
}
