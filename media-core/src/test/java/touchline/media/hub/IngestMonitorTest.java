package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.testing.SettableClock;
import touchline.testing.SyntheticStream;

final class IngestMonitorTest {
    private static final SyntheticStream PLAIN = SyntheticStream.standard().bFrames(0);

    private final SettableClock clock = new SettableClock();
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
