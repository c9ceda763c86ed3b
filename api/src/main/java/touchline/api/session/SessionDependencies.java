package touchline.api.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import touchline.api.asset.AssetService;
import touchline.api.asset.RecordingAsset;
import touchline.api.audit.ModerationDependencies;
import touchline.api.db.MediaSequences;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.domain.StreamDefinition;
import touchline.api.scoreboard.OverlayDependencies;
import touchline.config.PackagerConfig;
import touchline.media.SessionId;
import touchline.packager.hls.LiveWindow;
import touchline.packager.hls.MediaMemory;
import touchline.packager.record.Recorder;

/**
 * Dependencies of every session; all shared, none owned.
 *
 * @param journal stores the changes of sessions
 * @param memory holds finished parts
 * @param assets recordings and clips
 * @param spool folder for media that only the live window needs; emptied at every start
 * @param minFreeBytes storing stops below this free disk space
 * @param moderation analyses frames of moderated sessions
 * @param overlay renders scoreboards
 */
public record SessionDependencies(
        StreamRepository streams,
        SessionRepository sessions,
        SessionJournal journal,
        MediaSequences sequences,
        PlaybackResolver playback,
        PackagerConfig packager,
        MediaMemory memory,
        AssetService assets,
        Path spool,
        long minFreeBytes,
        ModerationDependencies moderation,
        OverlayDependencies overlay,
        InstantSource clock) {
    /** Minimum free space for a new recording part, whatever the configuration says. */
    private static final long LEAST_FREE_BYTES = 16L << 20;

    /** The target of a session's media: an asset, or the spool of its live window. */
    SessionRecording.Dependencies recording(
            StreamDefinition stream, SessionId session, LiveWindow window) {
        boolean recorded = stream.settings().record();
        Executor executor = task -> Thread.ofVirtual().name("space-" + session).start(task);
        return new SessionRecording.Dependencies(
                session,
                recorded ? asset(stream, session, window) : spool(session, window),
                () -> Files.getFileStore(spool).getUsableSpace() >= roomBytes(),
                executor,
                clock);
    }

    /**
     * Above the limit that stops a recorder, so that recording does not start and stop in turns.
     */
    private long roomBytes() {
        return Math.max(LEAST_FREE_BYTES, minFreeBytes + minFreeBytes / 2);
    }

    private SessionRecording.Opener asset(
            StreamDefinition stream, SessionId session, LiveWindow window) {
        return (number, listener) -> {
            RecordingAsset asset =
                    number == 0 ? assets.begin(stream, session) : assets.resume(stream, session);
            Path folder = assets.folders().of(asset.asset().id());
            return new SessionRecording.RecordingPart(
                    Recorder.open(
                            settings(session, folder, Recorder.Purpose.RECORDING),
                            window,
                            SessionRecording.both(asset, listener)),
                    asset);
        };
    }

    private SessionRecording.Opener spool(SessionId session, LiveWindow window) {
        return (number, listener) -> {
            // Requests may still read an earlier part's files.
            Path folder = spool.resolve(number == 0 ? session.value() : session + "-" + number);
            return new SessionRecording.RecordingPart(
                    Recorder.open(
                            settings(session, folder, Recorder.Purpose.SPOOL), window, listener),
                    null);
        };
    }

    private Recorder.Settings settings(SessionId session, Path folder, Recorder.Purpose purpose) {
        return new Recorder.Settings(session, folder, purpose, minFreeBytes);
    }
}
