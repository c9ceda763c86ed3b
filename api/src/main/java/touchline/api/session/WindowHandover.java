package touchline.api.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.AssetId;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Session;
import touchline.api.domain.SuspendedSession;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.InterruptedSession;
import touchline.packager.hls.LiveWindow;
import touchline.packager.hls.StoredWindow;

/** The live window of a session across a planned stop of the server. Stateless; blocks. */
final class WindowHandover {
    private static final Logger log = LoggerFactory.getLogger(WindowHandover.class);

    private WindowHandover() {}

    /**
     * Stores a window whose media is stored already. If that fails, its playlist starts anew.
     *
     * @param stopped the encoder's side
     * @param session as the database shall have it
     * @return what the database needs for the next start
     */
    static SuspendedSession suspend(
            LiveWindow window,
            InterruptedSession stopped,
            Session session,
            Optional<AssetId> recording,
            SessionDependencies dependencies) {
        StoredWindow open = window.toStore();
        try {
            open.write(dependencies.windowFile(session.id()), dependencies.spool());
        } catch (IOException e) {
            log.warn("session={} its window is not stored: {}", session.id(), e.toString());
        }
        LiveWindow.Settings settings = window.settings();
        return new SuspendedSession(
                session,
                stopped.endingAt(open.endUs()),
                stopped.disconnectedAt().plus(stopped.reconnectWindow()),
                new SuspendedSession.Settings(
                        settings.profile().listsParts() ? LatencyMode.LOW : LatencyMode.STANDARD,
                        settings.recorded(),
                        settings.composited(),
                        open.nextInit(),
                        open.version()),
                recording);
    }

    /**
     * The window as it was. Without its file, or if other numbers were used meanwhile, it is empty:
     * numbers rise on, behind a discontinuity.
     */
    static LiveWindow resume(
            LiveWindow.Settings settings,
            SuspendedSession.Settings before,
            SessionDependencies dependencies) {
        try {
            StoredWindow stored =
                    StoredWindow.read(
                            dependencies.windowFile(settings.session()), dependencies.spool());
            if (stored.continuesWith(settings.firstMediaSequence())) {
                return LiveWindow.resume(settings, dependencies.memory(), stored);
            }
            log.info("session={} its playlist starts anew", settings.session());
        } catch (IOException | MalformedMediaException e) {
            log.warn("session={} its playlist starts anew: {}", settings.session(), e.toString());
        }
        try {
            return LiveWindow.resume(
                    settings,
                    dependencies.memory(),
                    StoredWindow.empty(before.nextInit(), before.playlistVersion()));
        } catch (IOException e) {
            throw new UncheckedIOException("an empty window has no files", e);
        }
    }
}
