package touchline.api.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import touchline.api.db.MediaSequences;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.domain.StreamDefinition;
import touchline.config.PackagerConfig;
import touchline.media.SessionId;
import touchline.packager.hls.MediaMemory;
import touchline.packager.hls.SegmentWindow;
import touchline.packager.record.Recorder;

/**
 * What every session works with; all shared, none owned.
 *
 * @param ledger stores what happens to sessions
 * @param memory where finished parts live
 * @param assets what is recorded
 * @param spool folder of what only the live window needs; emptied at every start
 * @param minFreeBytes storing stops when the disk has less free
 * @param moderation what looks at the pictures of those that are to be moderated
 * @param overlay what scoreboards are made with
 */
public record SessionRooms(
        StreamRepository streams,
        SessionRepository sessions,
        SessionLedger ledger,
        MediaSequences sequences,
        PlaybackResolver playback,
        PackagerConfig packager,
        MediaMemory memory,
        AssetKeeper assets,
        Path spool,
        long minFreeBytes,
        ModerationParts moderation,
        OverlayRooms overlay,
        InstantSource clock) {
    /** Less than this makes no take worth beginning, whatever the configuration asks for. */
    private static final long LEAST_FREE_BYTES = 16L << 20;

    /** Where a session's media goes: an asset, or the spool of its live window. */
    SessionRecording.Rooms recording(
            StreamDefinition stream, SessionId session, SegmentWindow window) {
        boolean recorded = stream.settings().record();
        Executor executor = task -> Thread.ofVirtual().name("space-" + session).start(task);
        return new SessionRecording.Rooms(
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
            StreamDefinition stream, SessionId session, SegmentWindow window) {
        return (number, listener) -> {
            RecordedAsset asset =
                    number == 0 ? assets.begin(stream, session) : assets.resume(stream, session);
            Path folder = assets.folders().of(asset.asset().id());
            return new SessionRecording.Take(
                    Recorder.open(
                            settings(session, folder, Recorder.Purpose.RECORDING),
                            window,
                            SessionRecording.both(asset, listener)),
                    asset);
        };
    }

    private SessionRecording.Opener spool(SessionId session, SegmentWindow window) {
        return (number, listener) -> {
            // An earlier take's files may still be fetched.
            Path folder = spool.resolve(number == 0 ? session.value() : session + "-" + number);
            return new SessionRecording.Take(
                    Recorder.open(
                            settings(session, folder, Recorder.Purpose.SPOOL), window, listener),
                    null);
        };
    }

    private Recorder.Settings settings(SessionId session, Path folder, Recorder.Purpose purpose) {
        return new Recorder.Settings(session, folder, purpose, minFreeBytes);
    }
}
