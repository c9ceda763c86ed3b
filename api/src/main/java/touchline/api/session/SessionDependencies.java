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
 * What every session works with; all shared, none owned.
 *
 * @param ledger stores what happens to sessions
 * @param memory where finished parts live
 * @param assets what is recorded
 * @param spool folder of what only the live window needs; emptied at every start
 * @param minFreeBytes storing stops when the disk has less free
 * @param moderation what looks at the frames of those that are to be moderated
 * @param overlay what scoreboards are made with
 */
public record SessionDependencies(
        StreamRepository streams,
        SessionRepository sessions,
        SessionJournal ledger,
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
    /** Less than this makes no take worth beginning, whatever the configuration asks for. */
    private static final long LEAST_FREE_BYTES = 16L << 20;

    /** Where a session's media goes: an asset, or the spool of its live window. */
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

    /** More than makes a recorder stop: otherwise it would begin and stop in turns. */
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
            // An earlier take's files may still be fetched.
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
