package touchline.api.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.hub.IngestReport;

class SessionReportTest {
    private static final IngestReport.Warning DRIFT =
            new IngestReport.Warning(IngestReport.AV_DRIFT, "change it", Instant.EPOCH);

    private static SessionReport report(int width, IngestReport.Warning... warnings) {
        return new SessionReport(
                List.of("avc1"), AudioDelivery.NONE, width, 720, 30, 1, 1, List.of(warnings));
    }

    @Test
    void followedBy_nothingMeasuredYet_staysAsItWas() {
        assertEquals(report(1280, DRIFT), report(1280, DRIFT).followedBy(SessionReport.EMPTY));
    }

    @Test
    void followedBy_newMeasurements_keepsEachWarningOnce() {
        IngestReport.Warning again =
                new IngestReport.Warning(IngestReport.AV_DRIFT, "later", Instant.MAX);
        IngestReport.Warning other =
                new IngestReport.Warning(IngestReport.BITRATE_SWINGS, "later", Instant.MAX);

        assertEquals(
                report(640, DRIFT, other),
                report(1280, DRIFT).followedBy(report(640, again, other)));
    }

    @Test
    void followedBy_faultThatHasEnded_mayComeAgain() {
        IngestReport.Warning silent =
                new IngestReport.Warning("audio_silent", "check it", Instant.EPOCH)
                        .ended(Instant.EPOCH.plusSeconds(9));
        IngestReport.Warning again =
                new IngestReport.Warning("audio_silent", "check it", Instant.MAX);

        assertEquals(
                report(640, silent, again), report(1280, silent).followedBy(report(640, again)));
    }
}
