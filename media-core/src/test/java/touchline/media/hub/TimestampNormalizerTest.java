package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;
import touchline.media.codec.AvcConfig;
import touchline.testing.SettableClock;
import touchline.testing.SyntheticStream;

final class TimestampNormalizerTest {
    private static final SyntheticStream MEDIA = SyntheticStream.standard();
    private static final Track OTHER_VIDEO =
            new Track(
                    Track.VIDEO_ID,
                    Timescale.VIDEO,
                    new CodecConfig.Avc(
                            AvcConfig.parse(
                                    MemorySegment.ofArray(
                                            HexFormat.of()
                                                    .parseHex(
                                                            "0142c01effe100196742c01eda0280bfe5"
                                                                    + "c044000003000400000300c83c"
                                                                    + "58ba8001000468ce0fc8")))));
    private static final Track OTHER_AUDIO =
            new Track(
                    Track.AUDIO_ID,
                    new Timescale(44_100),
                    new CodecConfig.Aac(AudioSpecificConfig.of(44_100, 1)));

    private final SettableClock clock = new SettableClock();
    private final List<IngestReport.Warning> warnings = new ArrayList<>();
    private final IngestMonitor monitor = new IngestMonitor(clock, warnings::add);
    private final List<FeedItem> out = new ArrayList<>();
    private TimestampNormalizer normalizer = publication();

    private TimestampNormalizer publication() {
        return new TimestampNormalizer(
                clock,
                monitor,
                () -> true,
                item -> {
                    monitor.observe(item);
                    out.add(item);
                });
    }

    private void write(List<AccessUnit> units) {
        units.forEach(normalizer::write);
    }

    private List<AccessUnit> units(boolean video) {
        return out.stream()
                .filter(AccessUnit.class::isInstance)
                .map(AccessUnit.class::cast)
                .filter(unit -> unit.track().isVideo() == video)
                .toList();
    }

    private List<Timeline> timelines() {
        return out.stream().filter(Timeline.class::isInstance).map(Timeline.class::cast).toList();
    }

    @Test
    void write_roundedTimes_comeOutExactAndFromZero() {
        normalizer.begin(MEDIA.tracks());
        write(MEDIA.published(123_456));

        assertEquals(List.of(0), timelines().stream().map(Timeline::sequence).toList());
        assertEquals(0, timelines().getFirst().startUs());
        assertEquals(
                MEDIA.withoutAudio().units().stream()
                        .map(u -> u.dtsTicks() + "+" + u.ptsTicks())
                        .toList(),
                units(true).stream().map(u -> u.dtsTicks() + "+" + u.ptsTicks()).toList());
        assertEquals(
                MEDIA.withoutVideo().units().stream().map(AccessUnit::dtsTicks).toList(),
                units(false).stream().map(AccessUnit::dtsTicks).toList());
    }

    @Test
    void write_tracksInAnyOrder_videoComesFirst() {
        normalizer.begin(MEDIA.tracks().reversed());
        write(MEDIA.published(0));

        assertEquals(MEDIA.tracks(), timelines().getFirst().tracks());
    }

    @Test
    void begin_twoOfAKindOrNone_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> normalizer.begin(List.of()));
        assertThrows(
                IllegalArgumentException.class,
                () -> normalizer.begin(List.of(SyntheticStream.VIDEO_TRACK, OTHER_VIDEO)));
    }

    @Test
    void write_beforeTheFirstKeyFrame_isDroppedAndAudioKeepsItsPlace() {
        normalizer.begin(MEDIA.tracks());
        List<AccessUnit> published = MEDIA.published(0);
        write(published.subList(20, published.size()));

        AccessUnit first = units(true).getFirst();
        assertTrue(first.isKeyFrame());
        assertEquals(0, first.dtsTicks());
        // The second key frame stands at 2 s; audio of 2.005 s is 5 ms behind it.
        assertNear(94 * 1_024 - 96_000, units(false).getFirst().dtsTicks(), 48);
        assertEquals(240, units(true).size());
    }

    @Test
    void write_audioSentAheadOfItsKeyFrame_isNotLost() {
        normalizer.begin(MEDIA.tracks());
        List<AccessUnit> published = MEDIA.published(0);
        published.stream().filter(u -> !u.track().isVideo()).limit(40).forEach(normalizer::write);
        published.stream().filter(u -> u.track().isVideo()).limit(30).forEach(normalizer::write);

        assertEquals(40, units(false).size());
        assertEquals(0, units(false).getFirst().dtsTicks());
    }

    @Test
    void write_forwardJump_isRebasedBehindADiscontinuity() {
        normalizer.begin(MEDIA.tracks());
        write(MEDIA.published(0));
        clock.advance(Duration.ofSeconds(10));
        write(MEDIA.published(500_000));

        assertContinued(10);
        assertTrue(monitor.report().hasWarning(IngestReport.TIMESTAMP_JUMPS));
        assertEquals(1, monitor.report().discontinuities());
        assertEquals(clock.instant(), timelines().getLast().startedAt());
    }

    @Test
    void write_backwardJump_isRebasedBehindADiscontinuity() {
        normalizer.begin(MEDIA.tracks());
        write(MEDIA.published(500_000));
        write(MEDIA.published(0));

        assertContinued(10);
    }

    @Test
    void write_jumpInTheMiddleOfAGroup_goesOnWithTheNextKeyFrame() {
        normalizer.begin(MEDIA.tracks());
        List<AccessUnit> before = MEDIA.published(0);
        List<AccessUnit> after = MEDIA.published(60_000);
        int cut = before.size() / 4;
        write(before.subList(0, cut));
        write(after.subList(cut, after.size()));

        assertEquals(2, timelines().size());
        int second = out.indexOf(timelines().getLast());
        assertTrue(assertInstanceOf(AccessUnit.class, out.get(second + 1)).isKeyFrame());
        LiveStreamsTest.assertRising(out);
    }

    @Test
    void write_stragglersOfTheOldTimes_areDropped() {
        normalizer.begin(MEDIA.tracks());
        write(MEDIA.published(0));
        List<AccessUnit> next = MEDIA.published(900_000);
        List<AccessUnit> late = MEDIA.withoutVideo().published(10_000).subList(0, 3);
        normalizer.write(next.getFirst());
        write(late);
        write(next.subList(1, next.size()));

        assertContinued(10);
    }

    @Test
    void write_audioAloneJumps_isLedBackToItsFrames() {
        normalizer.begin(MEDIA.tracks());
        for (AccessUnit unit : MEDIA.published(0)) {
            boolean away = !unit.track().isVideo() && unit.dtsUs() > 4_000_000;
            long shift = away ? 3_600L * 48_000 : 0;
            normalizer.write(
                    unit.at(
                            unit.track(),
                            unit.dtsTicks() + shift,
                            unit.compositionTimeOffsetTicks()));
        }

        assertEquals(1, timelines().size());
        assertEquals(300, units(true).size());
        assertEquals(10, units(false).getLast().dtsUs() / 1e6, 0.1);
        LiveStreamsTest.assertRising(out);
    }

    @Test
    void write_timesThatStandStill_rise() {
        normalizer.begin(MEDIA.tracks());
        for (AccessUnit unit : MEDIA.bFrames(0).published(0)) {
            long coarse = unit.dtsTicks() / 9_000 * 9_000;
            normalizer.write(unit.track().isVideo() ? unit.at(unit.track(), coarse, 0) : unit);
        }

        assertEquals(300, units(true).size());
        LiveStreamsTest.assertRising(out);
    }

    @Test
    void begin_sameTracksAgain_changesNothing() {
        normalizer.begin(MEDIA.tracks());
        List<AccessUnit> published = MEDIA.published(0);
        write(published.subList(0, 100));
        normalizer.begin(
                List.of(
                        new Track(
                                1,
                                Timescale.VIDEO,
                                new CodecConfig.Avc(AvcConfig.parse(SyntheticStream.AVC.bytes()))),
                        SyntheticStream.AUDIO_TRACK));
        write(published.subList(100, published.size()));

        assertEquals(1, timelines().size());
        assertEquals(300, units(true).size());
    }

    @Test
    void begin_otherVideo_opensATimelineAtItsKeyFrame() {
        normalizer.begin(MEDIA.tracks());
        List<AccessUnit> published = MEDIA.published(0);
        published.stream().filter(u -> u.dtsUs() < 4_000_000).forEach(normalizer::write);
        normalizer.begin(List.of(OTHER_VIDEO, SyntheticStream.AUDIO_TRACK));
        published.stream()
                .filter(u -> u.dtsUs() >= 4_000_000)
                .map(
                        u ->
                                u.track().isVideo()
                                        ? u.at(
                                                OTHER_VIDEO,
                                                u.dtsTicks(),
                                                u.compositionTimeOffsetTicks())
                                        : u)
                .forEach(normalizer::write);

        assertEquals(2, timelines().size());
        assertEquals(List.of(0, 1), timelines().stream().map(Timeline::sequence).toList());
        assertEquals(300, units(true).size());
        assertTrue(timelines().getLast().startUs() >= 4_000_000);
        LiveStreamsTest.assertRising(out);
    }

    @Test
    void begin_lateAudio_isTakenInAtTheNextKeyFrameWithoutAGapInTheFrames() {
        normalizer.begin(MEDIA.withoutAudio().tracks());
        List<AccessUnit> published = MEDIA.published(0);
        published.stream()
                .filter(u -> u.track().isVideo() && u.dtsUs() < 3_000_000)
                .forEach(normalizer::write);
        normalizer.begin(MEDIA.tracks());
        published.stream().filter(u -> u.dtsUs() >= 3_000_000).forEach(normalizer::write);

        assertEquals(2, timelines().size());
        assertEquals(300, units(true).size());
        assertEquals(MEDIA.tracks(), timelines().getLast().tracks());
        assertNear(4_000_000, timelines().getLast().startUs(), 40_000);
        assertTrue(units(false).getFirst().dtsUs() >= timelines().getLast().startUs());
    }

    @Test
    void begin_otherAudio_changesAtTheNextKeyFrame() {
        normalizer.begin(MEDIA.tracks());
        List<AccessUnit> published = MEDIA.published(0);
        published.stream().filter(u -> u.dtsUs() < 3_000_000).forEach(normalizer::write);
        normalizer.begin(List.of(SyntheticStream.VIDEO_TRACK, OTHER_AUDIO));
        published.stream()
                .filter(u -> u.dtsUs() >= 3_000_000)
                .map(u -> u.track().isVideo() ? u : u.at(OTHER_AUDIO, u.dtsTicks() * 441 / 480, 0))
                .forEach(normalizer::write);

        assertEquals(2, timelines().size());
        assertEquals(300, units(true).size());
        assertTrue(units(false).getLast().track().equals(OTHER_AUDIO));
    }

    @Test
    void write_audioOnly_startsAtOnce() {
        normalizer.begin(MEDIA.withoutVideo().tracks());
        write(MEDIA.withoutVideo().published(77));
        write(MEDIA.withoutVideo().published(900_000));

        assertEquals(2, timelines().size());
        assertEquals(2 * MEDIA.withoutVideo().units().size(), units(false).size());
        LiveStreamsTest.assertRising(out);
    }

    @Test
    void write_declaredVideoNeverComes_audioIsHeardAndVideoMayFollow() {
        normalizer.begin(MEDIA.tracks());
        write(MEDIA.withoutVideo().published(0));
        assertEquals(1, timelines().size());
        assertEquals(MEDIA.withoutVideo().units().size(), units(false).size());

        write(MEDIA.published(10_000));
        assertEquals(2, timelines().size());
        assertEquals(MEDIA.tracks(), timelines().getLast().tracks());
        assertEquals(300, units(true).size());
        LiveStreamsTest.assertRising(out);
    }

    @Test
    void write_nextPublication_goesOnInMediaTime() {
        normalizer.begin(MEDIA.tracks());
        write(MEDIA.published(0));
        normalizer = publication();
        normalizer.begin(MEDIA.tracks());
        write(MEDIA.published(0));

        assertContinued(10);
    }

    @Test
    void write_absurdCompositionOffset_isIgnored() {
        normalizer.begin(MEDIA.withoutAudio().tracks());
        AccessUnit first = MEDIA.published(0).getFirst();
        normalizer.write(first.at(first.track(), 0, 700_000_000));

        assertEquals(0, units(true).getFirst().ptsTicks());
        assertTrue(monitor.nextStartUs() < 1_000_000);
    }

    @Test
    void write_hoursWithASlowAudioCard_audioAndFramesStayTogether() {
        normalizer.begin(MEDIA.tracks());
        AccessUnit key = MEDIA.bFrames(0).published(0).getFirst();
        AccessUnit audioPart = MEDIA.withoutVideo().published(0).getFirst();
        double frameSeconds = 1_024 / 48_000.0 * 1.0002;
        long audioFrames = 0;
        for (int frame = 0; frame < 2 * 3_600 * 30; frame++) {
            normalizer.write(key.at(key.track(), Math.round(frame / 0.03) * 90, 0));
            while (audioFrames * frameSeconds < frame / 30.0) {
                long ms = Math.round(audioFrames * frameSeconds * 1_000);
                normalizer.write(audioPart.at(audioPart.track(), ms * 48, 0));
                audioFrames++;
            }
            out.removeIf(item -> item instanceof AccessUnit && out.size() > 8);
        }

        double audio = units(false).getLast().dtsUs() / 1e6;
        assertEquals((audioFrames - 1) * frameSeconds, audio, 0.005);
        assertEquals(2 * 3_600 - 1 / 30.0, units(true).getLast().dtsUs() / 1e6, 0.001);
        assertEquals(1, monitor.nextSequence());
    }

    private static void assertNear(long expected, long actual, long tolerance) {
        assertTrue(
                Math.abs(actual - expected) <= tolerance, actual + " (expected: " + expected + ")");
    }

    /** Two runs of standard media, the second from that time on. */
    private void assertContinued(int seconds) {
        assertEquals(List.of(0, 1), timelines().stream().map(Timeline::sequence).toList());
        Timeline second = timelines().getLast();
        assertNear(seconds * 1_000_000L, second.startUs(), 100_000);
        assertTrue(second.startUs() >= seconds * 1_000_000L);
        assertEquals(600, units(true).size());
        assertEquals(2 * MEDIA.withoutVideo().units().size(), units(false).size());
        AccessUnit key = units(true).get(300);
        assertEquals(second.startUs(), key.dtsUs());
        AccessUnit audioPart = units(false).get(MEDIA.withoutVideo().units().size());
        assertNear(key.dtsUs(), audioPart.dtsUs(), 1_000);
        LiveStreamsTest.assertRising(out);
    }
}
