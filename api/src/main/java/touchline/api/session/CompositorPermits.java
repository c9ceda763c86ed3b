package touchline.api.session;

import java.util.Optional;
import touchline.api.domain.WatermarkSettings;
import touchline.media.hub.LiveStream;
import touchline.overlay.CompositorSettings;

/**
 * Whether a compositor may be started for one session, and how; what stands against it is reported
 * as the scoreboard's failure. Blocks for the database; any thread.
 */
final class CompositorPermits {
    private final LiveStream live;
    private final OverlayRooms rooms;
    private final OverlayReports reports;

    CompositorPermits(LiveStream live, OverlayRooms rooms, OverlayReports reports) {
        this.live = live;
        this.rooms = rooms;
        this.reports = reports;
    }

    /**
     * Settings with a slot taken, which whoever gets them gives back with {@link #release}.
     *
     * @param keyFrameUs distance of key frames that segments are cut by
     */
    Optional<CompositorSettings> take(WatermarkSettings wanted, long keyFrameUs) {
        if (wanted instanceof WatermarkSettings.Html) {
            Optional<String> noPages = rooms.pages().unavailable();
            if (noPages.isPresent()) {
                return refused(noPages.get());
            }
        }
        Optional<CompositorSettings.Encoding> encoding = rooms.encoding();
        if (encoding.isEmpty()) {
            return refused("this host has no video encoder that may be used (see doctor)");
        }
        if (!rooms.slots().tryAcquire()) {
            return refused("overlay.max-compositors scoreboards are composited already");
        }
        return Optional.of(
                new CompositorSettings(
                        live.stream(),
                        live.session(),
                        keyFrameUs,
                        encoding.get(),
                        rooms.hardwareDecoder()));
    }

    void release() {
        rooms.slots().release();
    }

    private Optional<CompositorSettings> refused(String reason) {
        reports.failed(reason);
        return Optional.empty();
    }
}
