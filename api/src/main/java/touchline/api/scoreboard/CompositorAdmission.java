package touchline.api.scoreboard;

import java.util.Optional;
import touchline.api.domain.WatermarkSettings;
import touchline.media.hub.LiveStream;
import touchline.overlay.CompositorSettings;

/**
 * Whether a compositor may be started for one session, and how; what stands against it is reported
 * as the scoreboard's failure. Blocks for the database; any thread.
 */
final class CompositorAdmission {
    private final LiveStream live;
    private final OverlayDependencies dependencies;
    private final OverlayReports reports;

    CompositorAdmission(LiveStream live, OverlayDependencies dependencies, OverlayReports reports) {
        this.live = live;
        this.dependencies = dependencies;
        this.reports = reports;
    }

    /**
     * Settings with a slot taken, which whoever gets them gives back with {@link #release}.
     *
     * @param keyFrameUs distance of key frames that segments are cut by
     */
    Optional<CompositorSettings> take(WatermarkSettings wanted, long keyFrameUs) {
        if (wanted instanceof WatermarkSettings.Html) {
            Optional<String> noPages = dependencies.pages().unavailable();
            if (noPages.isPresent()) {
                return refused(noPages.get());
            }
        }
        Optional<CompositorSettings.Encoding> encoding = dependencies.encoding();
        if (encoding.isEmpty()) {
            return refused("this host has no video encoder that may be used (see doctor)");
        }
        if (!dependencies.slots().tryAcquire()) {
            return refused("overlay.max-compositors scoreboards are composited already");
        }
        return Optional.of(
                new CompositorSettings(
                        live.stream(),
                        live.session(),
                        keyFrameUs,
                        encoding.get(),
                        dependencies.hardwareDecoder()));
    }

    void release() {
        dependencies.slots().release();
    }

    private Optional<CompositorSettings> refused(String reason) {
        reports.failed(reason);
        return Optional.empty();
    }
}
