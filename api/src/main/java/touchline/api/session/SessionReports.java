package touchline.api.session;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import touchline.api.domain.AudioDelivery;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.SessionReport;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.hub.IngestReport;

/** The hub's measurements in the form that is stored and shown. */
public final class SessionReports {
    private SessionReports() {}

    /**
     * @param mode B-frames cost latency, so they cause a warning in {@code low} only
     * @param more further warnings
     * @param delivered codec of the audio that viewers get; empty if none yet
     */
    public static SessionReport of(
            IngestReport report,
            LatencyMode mode,
            List<IngestReport.Warning> more,
            Optional<CodecConfig> delivered) {
        List<String> codecs =
                report.tracks().stream().map(track -> track.codec().rfc6381()).toList();
        List<IngestReport.Warning> warnings =
                Stream.concat(report.warnings().stream(), more.stream())
                        .filter(
                                warning ->
                                        mode == LatencyMode.LOW
                                                || !warning.code().equals(IngestReport.B_FRAMES))
                        .toList();
        return new SessionReport(
                codecs,
                audio(report, delivered),
                report.width(),
                report.height(),
                report.frameRate(),
                report.videoBitrateBps(),
                report.audioBitrateBps(),
                warnings);
    }

    private static AudioDelivery audio(IngestReport report, Optional<CodecConfig> delivered) {
        Optional<String> sent =
                report.tracks().stream()
                        .filter(track -> !track.isVideo())
                        .map(Track::codec)
                        .map(CodecConfig::rfc6381)
                        .findFirst();
        if (sent.isEmpty()) {
            return AudioDelivery.NONE;
        }
        // AAC that a scoreboard's mix encodes again stays AAC.
        boolean same = delivered.map(CodecConfig::rfc6381).orElseGet(sent::get).equals(sent.get());
        return same ? AudioDelivery.UNCHANGED : AudioDelivery.TRANSCODED;
    }
}
