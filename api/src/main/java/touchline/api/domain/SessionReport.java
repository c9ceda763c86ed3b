package touchline.api.domain;

import java.util.ArrayList;
import java.util.List;
import touchline.media.hub.IngestReport;

/**
 * The last measurement of a session's ingest. Immutable.
 *
 * @param codecs of the encoder: RFC 6381 texts, video first
 * @param audio how the audio reaches the viewers
 * @param width in samples, 0 where unknown
 * @param height in rows, 0 where unknown
 * @param frameRate frames a second, 0 where unknown
 * @param videoBitrateBps bits a second, 0 where unknown
 * @param audioBitrateBps bits a second, 0 where unknown
 * @param warnings advice for the encoder's settings, oldest first
 */
public record SessionReport(
        List<String> codecs,
        AudioDelivery audio,
        int width,
        int height,
        double frameRate,
        long videoBitrateBps,
        long audioBitrateBps,
        List<IngestReport.Warning> warnings) {
    /** The first letters of video codecs (RFC 6381). */
    private static final List<String> VIDEO_CODECS = List.of("avc", "hvc", "hev", "av01", "vp0");

    /** Nothing measured yet. */
    public static final SessionReport EMPTY =
            new SessionReport(List.of(), AudioDelivery.NONE, 0, 0, 0, 0, 0, List.of());

    public SessionReport {
        codecs = List.copyOf(codecs);
        warnings = List.copyOf(warnings);
    }

    /** Whether the session sends audio and no video. */
    public boolean isAudioOnly() {
        return !codecs.isEmpty() && codecs.stream().noneMatch(SessionReport::isVideo);
    }

    private static boolean isVideo(String codec) {
        return VIDEO_CODECS.stream().anyMatch(codec::startsWith);
    }

    /** This report of an earlier process, with what was measured since. */
    public SessionReport followedBy(SessionReport later) {
        SessionReport newest = later.codecs.isEmpty() ? this : later;
        List<IngestReport.Warning> all = new ArrayList<>(warnings);
        for (IngestReport.Warning warning : later.warnings) {
            if (warnings.stream().noneMatch(earlier -> isSame(earlier, warning))) {
                all.add(warning);
            }
        }
        return new SessionReport(
                newest.codecs,
                newest.audio,
                newest.width,
                newest.height,
                newest.frameRate,
                newest.videoBitrateBps,
                newest.audioBitrateBps,
                all);
    }

    /** A fault that has ended may come again. */
    private static boolean isSame(IngestReport.Warning earlier, IngestReport.Warning later) {
        return earlier.code().equals(later.code()) && earlier.endedAt().isEmpty();
    }
}
