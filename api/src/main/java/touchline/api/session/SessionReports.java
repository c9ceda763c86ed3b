package touchline.api.session;

import java.util.List;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.SessionReport;
import touchline.media.hub.IngestReport;

/** The hub's measurements in the form that is stored and shown. */
public final class SessionReports {
    private SessionReports() {}

    /**
     * @param mode B-frames cost latency, so they cause a warning in {@code low} only
     */
    public static SessionReport of(IngestReport report, LatencyMode mode) {
        List<String> codecs =
                report.tracks().stream().map(track -> track.codec().rfc6381()).toList();
        List<IngestReport.Warning> warnings =
                report.warnings().stream()
                        .filter(
                                warning ->
                                        mode == LatencyMode.LOW
                                                || !warning.code().equals(IngestReport.B_FRAMES))
                        .toList();
        return new SessionReport(
                codecs,
                report.width(),
                report.height(),
                report.frameRate(),
                report.videoBitrateBps(),
                report.audioBitrateBps(),
                warnings);
    }
}
