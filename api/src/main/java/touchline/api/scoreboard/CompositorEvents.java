package touchline.api.scoreboard;

import java.util.function.Consumer;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.concurrent.LogContext;
import touchline.media.hub.LiveStream;
import touchline.overlay.CompositorListener;

/**
 * Events of one compositor. Its threads must not wait for the database, so each event is handled on
 * a virtual thread.
 *
 * @param onFailure restarts the compositor; may block
 */
record CompositorEvents(
        LiveStream live,
        OverlayReports reports,
        CompositorAdmission admission,
        Consumer<RuntimeException> onFailure)
        implements CompositorListener {
    @Override
    public void overloaded(String message) {
        Thread.ofVirtual()
                .name("overlay-event-" + live.session())
                .start(ofSession(() -> reports.overloaded(message)));
    }

    @Override
    public void refused(DecodingRefusedException cause) {
        live.refused(cause);
    }

    @Override
    public void failed(RuntimeException cause) {
        admission.failed(cause);
        Thread.ofVirtual()
                .name("overlay-restart-" + live.session())
                .start(ofSession(() -> onFailure.accept(cause)));
    }

    @Override
    public void ended() {
        admission.release();
    }

    private Runnable ofSession(Runnable task) {
        return LogContext.session(live.stream(), live.session(), task);
    }
}
