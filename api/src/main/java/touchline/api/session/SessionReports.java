package touchline.api.session;

import java.util.List;
import touchline.api.domain.SessionReport;
import touchline.media.hub.IngestReport;

/** What the hub measures, in the form that is stored and shown. */
public final class SessionReports {
    private SessionReports() {}

    public static SessionReport of(IngestReport report) {
        List<String> codecs =
                report.tracks().stream().map(track -> track.codec().rfc6381()).toList();
        return new SessionReport(
                codecs,
                report.width(),
                report.height(),
                report.frameRate(),
                report.videoBitrateBps(),
                report.audioBitrateBps(),
                report.warnings());
    }
}
