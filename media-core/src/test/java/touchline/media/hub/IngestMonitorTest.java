package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.DecodingRefusedException;
import touchline.testing.SettableClock;
import touchline.testing.SyntheticStream;

final class IngestMonitorTest {
    private static final SyntheticStream PLAIN = SyntheticStream.standard().bFrames(0);

    private final SettableClock clock = new SettableClock();
    private final Instant started = clock.instant();
    private final List<String> codes = new ArrayList<>();
    private final IngestMonitor monitor =
            new IngestMonitor(clock, warning -> codes.add(warning.code()));

    private void observe(SyntheticStream media) {
        observe(media, unit -> unit);
    }

    private void observe(SyntheticStream media, UnaryOperator<AccessUnit> change) {
        monitor.observe(new Timeline(0, media.tracks(), 0, clock.instant()));
        media.units().stream().map(change).forEach(monitor::observe);
    }

    private static AccessUnit at(AccessUnit unit, long dtsTicks) {
        return unit.at(unit.track(), dtsTicks, unit.compositionTimeOffsetTicks());
    }

    @Test
    void report_beforeAnything_isEmpty() {
        assertEquals(new IngestReport(List.of(), 0, 0, 0, 0, 0, 0, 0, List.of()), monitor.report());
        assertEquals(0, monitor.nextStartUs());
        assertEquals(0, monitor.nextSequence());
    }

    @Test
    void report_goodMedia_measuresAndWarnsOfNothing() {
        observe(PLAIN);

        IngestReport report = monitor.report();
        assertEquals(PLAIN.tracks(), report.tracks());
        assertEquals(1280, report.width());
        assertEquals(720, report.height());
        assertEquals(30, report.frameRate());
        long bytes = PLAIN.units().stream().mapToLong(u -> u.payload().byteSize()).sum();
        assertEquals(bytes, report.bytes());
        // 59 frames of 8 004 bytes and one of 48 004 in 2 s.
        assertEquals((59 * 8_004 + 48_004) * 4, (double) report.videoBitrateBps(), 350_000);
        assertEquals(9 * 8 * 48_000 / 1_024, (double) report.audioBitrateBps(), 50);
        assertEquals(List.of(), report.warnings());
        assertEquals(0, report.discontinuities());
    }

    @Test
    void report_rateOtherThanTheParameterSets_isMeasured() {
        observe(PLAIN.frameRate(25));

        assertEquals(25, monitor.report().frameRate(), 0.5);
    }

    @Test
    void report_audioThatBrowsersDoNotPlay_namesTheSetting() {
        monitor.observe(new Timeline(0, List.of(mp3()), 0, clock.instant()));

        IngestReport.Warning warning = monitor.report().warnings().getFirst();
        assertEquals(IngestReport.AUDIO_CODEC, warning.code());
        assertTrue(warning.message().contains("-c:a aac"), warning::message);
        assertEquals(List.of(IngestReport.AUDIO_CODEC), codes);
    }

    /** 8192 x 8192: it is packaged, but not decoded. */
    @Test
    void report_framesThatAreNotDecoded_namesTheLimit() {
        AvcConfig config =
                AvcConfig.of(List.of(unit("67640034acb4004000080220")), List.of(unit("68ebe3cb")));
        Track video = new Track(Track.VIDEO_ID, Timescale.VIDEO, new CodecConfig.Avc(config));

        monitor.observe(new Timeline(0, List.of(video), 0, clock.instant()));

        IngestReport.Warning warning = monitor.report().warnings().getFirst();
        assertEquals(IngestReport.FRAME_SIZE, warning.code());
        assertTrue(
                warning.message()
                        .startsWith("frame size: 8192x8192 (expected: at most 16777216 pixels)"),
                warning::message);
    }

    private static MemorySegment unit(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex));
    }

    @Test
    void refused_beforeTheFirstMedia_isReportedWithIt() {
        monitor.refused(refusal("decoder memory: 9 of 8"));
        assertEquals(List.of(), codes);

        observe(PLAIN);

        assertEquals(List.of(IngestReport.DECODER_MEMORY), codes);
        monitor.refused(refusal("decoder memory: 7 of 6"));
        IngestReport.Warning warning = monitor.report().warnings().getFirst();
        assertTrue(warning.message().startsWith("decoder memory: 7 of 6"), warning::message);
        assertTrue(warning.message().contains("raise media.decoder-memory"), warning::message);
        assertEquals(1, codes.size(), "one event of a session");
    }

    private static DecodingRefusedException refusal(String message) {
        return new DecodingRefusedException(DecodingRefusedException.Limit.MEMORY, message);
    }

    private static Track mp3() {
        return new Track(Track.AUDIO_ID, new Timescale(44_100), new CodecConfig.Mp3(44_100, 2));
    }

    @Test
    void nextStartUs_isTheEndOfTheLongestTrack() {
        observe(PLAIN);

        assertEquals(10_010_000, (double) monitor.nextStartUs(), 10_000);
        assertEquals(0, monitor.nextStartUs() % 1_000);
    }

    @Test
    void observe_keyFramesTooRare_areReportedBeforeTheNextComes() {
        observe(PLAIN.gopFrames(300).seconds(5));

        assertEquals(List.of(IngestReport.KEY_FRAME_INTERVAL), codes);
        IngestReport.Warning warning = monitor.report().warnings().getFirst();
        assertTrue(warning.message().contains("keyint"), warning.message());
        assertEquals(clock.instant(), warning.at());
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 60, 120})
    void observe_keyFramesWithinFourSeconds_areFine(int gopFrames) {
        observe(PLAIN.gopFrames(gopFrames).seconds(30));

        assertEquals(List.of(), codes);
    }

    @Test
    void observe_bFrames_areReported() {
        observe(SyntheticStream.standard());

        assertEquals(List.of(IngestReport.B_FRAMES), codes);
        assertTrue(monitor.report().hasWarning(IngestReport.B_FRAMES));
    }

    @Test
    void observe_unsteadyFrames_areReported() {
        observe(
                PLAIN,
                unit ->
                        unit.track().isVideo() && unit.dtsTicks() / 3_000 % 4 == 1
                                ? at(unit, unit.dtsTicks() + 2_000)
                                : unit);

        assertEquals(List.of(IngestReport.VARIABLE_FRAME_RATE), codes);
    }

    @Test
    void observe_oneGap_isNoVariableRate() {
        observe(PLAIN, unit -> unit.dtsUs() > 5_000_000 ? later(unit, 1_500_000) : unit);

        assertEquals(List.of(), codes);
    }

    @Test
    void observe_bFramesWithUnevenDecodeTimes_areNoVariableRate() {
        observe(
                SyntheticStream.standard(),
                unit -> {
                    boolean early = unit.track().isVideo() && unit.dtsTicks() / 3_000 % 4 == 2;
                    return early
                            ? unit.at(
                                    unit.track(),
                                    unit.dtsTicks() - 2_700,
                                    unit.compositionTimeOffsetTicks() + 2_700)
                            : unit;
                });

        assertEquals(List.of(IngestReport.B_FRAMES), codes);
    }

    @Test
    void observe_longGop_isReportedWithItsWholeLength() {
        observe(PLAIN.gopFrames(600).seconds(30));

        String message = monitor.report().warnings().getFirst().message();
        assertTrue(message.startsWith("no key frame for 20.0 s"), message);
    }

    @Test
    void observe_framesAtOneTime_areReported() {
        observe(
                PLAIN,
                unit -> unit.track().isVideo() ? at(unit, unit.dtsTicks() / 3_000 * 90) : unit);

        assertTrue(codes.contains(IngestReport.TIMESTAMPS_STAND_STILL), codes::toString);
    }

    @ParameterizedTest
    @CsvSource({"1.02, 2.0 % faster", "0.98, 2.0 % slower"})
    void observe_clockOfTheEncoderIsOff_isReported(double speed, String expected) {
        observeInRealTime(PLAIN.seconds(100), speed);

        assertEquals(List.of(IngestReport.CLOCK_DRIFT), codes);
        String message = monitor.report().warnings().getFirst().message();
        assertTrue(message.startsWith("timestamps run " + expected), message);
    }

    @Test
    void observe_clockOfTheEncoderIsRight_isFine() {
        observeInRealTime(PLAIN.seconds(100), 1.005);

        assertEquals(List.of(), codes);
    }

    @Test
    void observe_burstsAndAStepOfTheClock_areNoDrift() {
        monitor.observe(new Timeline(0, PLAIN.tracks(), 0, clock.instant()));
        Duration late = Duration.ZERO;
        for (AccessUnit unit : PLAIN.seconds(100).units()) {
            // Three seconds of the network's silence, and what it held back comes at once.
            Duration due = Duration.ofNanos(unit.dtsUs() * 1_000);
            boolean held = unit.dtsUs() > 40_000_000 && unit.dtsUs() < 43_000_000;
            advanceTo(held ? Duration.ofSeconds(43) : due.plus(late));
            if (unit.dtsUs() > 70_000_000) {
                late = Duration.ofSeconds(2);
            }
            monitor.observe(unit);
        }

        assertEquals(List.of(), codes);
    }

    private void observeInRealTime(SyntheticStream media, double speed) {
        monitor.observe(new Timeline(0, media.tracks(), 0, clock.instant()));
        for (AccessUnit unit : media.units()) {
            advanceTo(Duration.ofNanos((long) (unit.dtsUs() * 1_000 / speed)));
            monitor.observe(unit);
        }
    }

    private void advanceTo(Duration sinceStart) {
        Duration by = sinceStart.minus(Duration.between(started, clock.instant()));
        if (by.isPositive()) {
            clock.advance(by);
        }
    }

    private static AccessUnit later(AccessUnit unit, long byUs) {
        return at(unit, unit.dtsTicks() + unit.track().timescale().fromUs(byUs));
    }

    @Test
    void observe_audioFallsBehind_isReported() {
        observe(
                PLAIN.seconds(60),
                unit -> unit.track().isVideo() ? unit : at(unit, unit.dtsTicks() * 98 / 100));

        assertEquals(List.of(IngestReport.AV_DRIFT), codes);
    }

    @Test
    void observe_framesStopAndComeBack_saysForHowLongAndBlamesNothingElse() {
        SyntheticStream media = PLAIN.seconds(60);
        monitor.observe(new Timeline(0, media.tracks(), 0, clock.instant()));
        media.units().stream()
                .filter(
                        unit ->
                                !unit.track().isVideo()
                                        || unit.dtsUs() < 10_000_000
                                        || unit.dtsUs() >= 30_000_000)
                .forEach(monitor::observe);

        assertEquals(List.of(IngestReport.NO_VIDEO), codes);
        String message = monitor.report().warnings().getFirst().message();
        assertTrue(message.startsWith("no video for 20 s"), message);
    }

    @Test
    void observe_framesThatPauseForASecond_areNoFault() {
        SyntheticStream media = PLAIN.seconds(30);
        monitor.observe(new Timeline(0, media.tracks(), 0, clock.instant()));
        media.units().stream()
                .filter(
                        unit ->
                                !unit.track().isVideo()
                                        || unit.dtsUs() < 10_000_000
                                        || unit.dtsUs() >= 11_000_000)
                .forEach(monitor::observe);

        assertFalse(codes.contains(IngestReport.NO_VIDEO));
        assertFalse(codes.contains(IngestReport.AV_DRIFT));
    }

    @Test
    void shifted_farEnough_isDrift() {
        monitor.shifted(199_000);
        assertEquals(List.of(), codes);

        monitor.shifted(-201_000);

        assertEquals(List.of(IngestReport.AV_DRIFT), codes);
    }

    @Test
    void observe_bitrateSwings_areReported() {
        observe(
                PLAIN.seconds(60),
                unit -> {
                    boolean quiet = unit.track().isVideo() && unit.dtsUs() > 20_000_000;
                    return quiet
                            ? new AccessUnit(
                                    unit.track(),
                                    unit.dtsTicks(),
                                    0,
                                    unit.idr(),
                                    unit.payload().asSlice(0, unit.payload().byteSize() / 5))
                            : unit;
                });

        assertEquals(List.of(IngestReport.BITRATE_SWINGS), codes);
    }

    @Test
    void begin_tenBitInterlaced422_isUnsupported() {
        String hex =
                "017a003effe10025677a003eb6cd94078044fcb8088000000300800000323240007a12000f427269"
                        + "c07c78f65801000568fbacb22cfefafa00";
        var config = AvcConfig.parse(MemorySegment.ofArray(HexFormat.of().parseHex(hex)));
        var track = new Track(1, Timescale.VIDEO, new CodecConfig.Avc(config));

        monitor.observe(new Timeline(0, List.of(track), 0, clock.instant()));

        assertEquals(List.of(IngestReport.UNSUPPORTED_PROFILE), codes);
        assertEquals(1080, monitor.report().height());
    }

    @Test
    void jumped_once_isSaidInWords() {
        monitor.jumped(3_500_000);

        String message = monitor.report().warnings().getFirst().message();
        assertTrue(message.startsWith("timestamps jumped once, by 3.5 s"), message);
    }

    @Test
    void jumped_manyTimes_isOneWarningThatCounts() {
        for (int i = 0; i < 100; i++) {
            monitor.jumped(3_500_000);
        }

        List<IngestReport.Warning> warnings = monitor.report().warnings();
        assertEquals(1, warnings.size());
        assertTrue(warnings.getFirst().message().startsWith("timestamps jumped 100 times"));
        assertFalse(monitor.report().hasWarning(IngestReport.AV_DRIFT));
    }
}
