package touchline.api.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.cluster.ownership.ResumeRecord;
import touchline.api.domain.AssetId;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Session;
import touchline.api.domain.SuspendedSession;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.InterruptedSession;
import touchline.packager.hls.LiveWindow;
import touchline.packager.hls.StoredWindow;

/** The live window of a session across a stop of its server. Stateless; blocks. */
final class WindowHandover {
    private static final Logger log = LoggerFactory.getLogger(WindowHandover.class);

    /** More than a server shows behind the record that it has stored: 48 days of playlists. */
    private static final long UNKNOWN_VERSIONS = 1L << 24;

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
     * A session's window: a new one, or that of the session before. Without its segments, or if
     * other numbers were used meanwhile, it is empty: numbers rise on, behind a discontinuity.
     *
     * @param ofNew settings of a session that begins
     */
    static LiveWindow open(
            LiveWindow.Settings ofNew,
            Optional<ContinuedSession> before,
            SessionDependencies dependencies) {
        if (before.isEmpty()) {
            return new LiveWindow(ofNew, dependencies.memory());
        }
        ContinuedSession earlier = before.get();
        LiveWindow.Settings settings = earlier.window(ofNew);
        StoredWindow stored =
                earlier.resumption().isPresent()
                        ? elsewhere(earlier.resumption().get(), earlier.suspended())
                        : here(settings, earlier.settings(), dependencies);
        try {
            return LiveWindow.resume(settings, dependencies.memory(), stored);
        } catch (IOException e) {
            throw new UncheckedIOException("the window's init segments are gone", e);
        }
    }

    private static StoredWindow elsewhere(Resumption resumption, SuspendedSession session) {
        ResumeRecord record = resumption.record();
        long endUs = session.interruption().mediaEndUs();
        // The discontinuity of the newest segment goes on: its timeline does, and without a common
        // segment hls.js finds no other way to one behind a failed request.
        int skipped = resumption.firstInit() - (record.nextInit() - 1);
        return StoredWindow.elsewhere(
                        new StoredWindow.Targets(
                                record.targetDurationS(), record.partTargetUs(), skipped),
                        record.zeroUs(),
                        endUs,
                        ContinuedSession.dateOfEnd(record, endUs),
                        resumption.firstInit(),
                        record.playlistVersion() + UNKNOWN_VERSIONS)
                .behind(
                        new StoredWindow.Known(
                                record.newest().number(),
                                record.newest().startUs(),
                                Instant.ofEpochMilli(record.newest().dateMs()),
                                record.newest().durationUs(),
                                record.listedFrom()));
    }

    private static StoredWindow here(
            LiveWindow.Settings settings,
            SuspendedSession.Settings before,
            SessionDependencies dependencies) {
        try {
            StoredWindow stored =
                    StoredWindow.read(
                            dependencies.windowFile(settings.session()), dependencies.spool());
            if (stored.continuesWith(settings.firstMediaSequence())) {
                return stored;
            }
            log.info("session={} its playlist starts anew", settings.session());
            return stored.withoutSegments();
        } catch (IOException | MalformedMediaException e) {
            log.warn("session={} its playlist starts anew: {}", settings.session(), e.toString());
            return StoredWindow.empty(before.nextInit(), before.playlistVersion());
        }
    }
}
