package touchline.api.session;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetService;
import touchline.api.asset.FolderTree;
import touchline.api.asset.RecordingAsset;
import touchline.api.asset.RecordingTakeover;
import touchline.api.audit.ModerationDependencies;
import touchline.api.db.MediaSequences;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.domain.AssetId;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.StreamDefinition;
import touchline.api.restream.Restreams;
import touchline.api.scoreboard.OverlayDependencies;
import touchline.api.scoreboard.SessionProgram;
import touchline.api.signal.SignalWatches;
import touchline.config.PackagerConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.concurrent.LogContext;
import touchline.media.hub.LiveStream;
import touchline.media.hub.StandbyMaker;
import touchline.media.store.DiskSpace;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.LiveRenditions;
import touchline.packager.hls.LiveWindow;
import touchline.packager.hls.MediaMemory;
import touchline.packager.record.Recorder;
import touchline.packager.record.RenditionSpool;

/**
 * Dependencies of every session; all shared, none owned.
 *
 * @param journal stores the changes of sessions
 * @param memory holds finished parts
 * @param assets recordings and clips
 * @param spool folder for media that only the live window needs, and for windows across a planned
 *     stop; emptied of all else at every start
 * @param least storing stops when the disk has less free; asked for each part of a recording
 * @param recordings counts interruptions of storing
 * @param moderation analyses frames of moderated sessions
 * @param overlay renders scoreboards
 * @param renditions encodes smaller versions of the video
 * @param restreams sends programs on to other servers
 * @param signals watches the signals of sessions
 * @param standby makes what viewers get while no encoder sends
 * @param stopLimit how long a stop waits for the threads of sessions
 * @param completeHold how long a completed session's encoder is refused; asked each time
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
        Supplier<DiskSpace.Least> least,
        RecordingCounters recordings,
        ModerationDependencies moderation,
        OverlayDependencies overlay,
        RenditionDependencies renditions,
        Restreams restreams,
        SignalWatches signals,
        StandbyMaker standby,
        Duration stopLimit,
        Supplier<Duration> completeHold,
        InstantSource clock) {
    private static final Logger log = LoggerFactory.getLogger(SessionDependencies.class);

    /** Minimum free space for a new recording part, whatever the configuration says. */
    private static final long LEAST_FREE_BYTES = 16L << 20;

    /**
     * The target of a session's media: an asset, or the spool of its live window.
     *
     * @param before the session that it continues
     */
    SessionRecording.Dependencies recording(
            StreamDefinition stream, LiveWindow window, Optional<ContinuedSession> before) {
        SessionId session = window.session();
        Executor executor =
                task -> Thread.ofVirtual().name("space-" + session).start(LogContext.carried(task));
        return new SessionRecording.Dependencies(
                session,
                window.settings().recorded() ? asset(stream, window, before) : spool(window),
                () -> !DiskSpace.of(spool).isBelow(room()),
                executor,
                window.settings().recorded() && assets.files().sharesRecordings(),
                recordings,
                clock);
    }

    LatencyProfile profile(LatencyMode mode, StreamDefinition stream) {
        LatencyProfile alone =
                mode == LatencyMode.LOW
                        ? LatencyProfile.low(packager.lowPart())
                        : LatencyProfile.standard();
        return stream.settings().renditions().isEmpty() ? alone : alone.withRenditions();
    }

    /** Starts the watch and the renditions of a session, before its packager runs. */
    void start(
            LiveStream live, SessionRenditions wanted, SessionProgram program, LiveWindow window) {
        signals.started(live);
        RenditionSpool storage = new RenditionSpool(spool, least.get());
        wanted.start(RenditionPackaging.of(new LiveRenditions(window, memory, storage)), program);
    }

    /** What another server would need to go on with a session. */
    ResumePoint resumePoint(LiveStream live, LiveWindow window, SessionRecording recording) {
        return new ResumePoint(
                live,
                window,
                recording::asset,
                record -> journal.admission().resumable(live.stream(), live.session(), record));
    }

    /** The numbers of a session that begins or continues now. Blocks. */
    ReservedNumbers numbers(SessionId session, StreamId stream) {
        return journal.admission()
                .numbers(stream, session)
                .orElseGet(() -> MediaSequenceAllocator.reserve(sequences, stream));
    }

    /** Where the window of a suspended session is stored. */
    Path windowFile(SessionId session) {
        return spool.resolve(session + ".window");
    }

    /** Removes what a session has left in the spool across a stop of the server. */
    void removeSpool(SessionId session) {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(spool, session + "*")) {
            for (Path each : left) {
                FolderTree.remove(each);
            }
        } catch (IOException e) {
            log.warn("session={} its spool is not removed: {}", session, e.toString());
        }
    }

    /**
     * Above the limit that stops a recorder, so that recording does not start and stop in turns.
     */
    private DiskSpace.Least room() {
        return least.get().withMargin().orBytes(LEAST_FREE_BYTES);
    }

    private SessionRecording.Opener asset(
            StreamDefinition stream, LiveWindow window, Optional<ContinuedSession> before) {
        SessionId session = window.session();
        return (number, listener) -> {
            Optional<RecordingTakeover> takeover =
                    number == 0 ? before.flatMap(each -> takeover(stream, each)) : Optional.empty();
            if (takeover.isPresent()) {
                window.beginning().expect();
                return InterruptedPart.open(
                        new AssetTakeover(
                                takeover.get(),
                                window,
                                assets,
                                stream.settings().renditions().isEmpty(),
                                asset -> reopened(asset, window, listener)),
                        () -> {
                            window.beginning().provideNone();
                            return begun(assets.resume(stream, session), window, listener);
                        },
                        InterruptedPart.Limits.within(takeover.get().continueWithin()),
                        task ->
                                Thread.ofVirtual()
                                        .name("takeover-" + session)
                                        .start(LogContext.carried(task)));
            }
            Optional<RecordingAsset> open =
                    number == 0
                            ? before.flatMap(earlier -> earlier.suspended().recording())
                                    .flatMap(assets::reopen)
                            : Optional.empty();
            if (open.isPresent()) {
                AssetId asset = open.get().asset().id();
                if (assets.folders().isContinued(asset)) {
                    EarlierMedia.show(asset, window, assets, /* isAlone= */ false);
                }
                return reopened(open.get(), window, listener);
            }
            boolean first = number == 0 && before.isEmpty();
            return begun(
                    first ? assets.begin(stream, session) : assets.resume(stream, session),
                    window,
                    listener);
        };
    }

    /** The recording of a session of another node, if S3 may have it. */
    private Optional<RecordingTakeover> takeover(StreamDefinition stream, ContinuedSession before) {
        return before.resumption()
                .flatMap(each -> Optional.ofNullable(each.record().assetId()))
                .flatMap(
                        asset ->
                                assets.takeOver(
                                        new AssetId(asset),
                                        before.session().id(),
                                        journal.admission().epoch(stream.id())));
    }

    private RecordingPart begun(
            RecordingAsset asset, LiveWindow window, Recorder.Listener listener) {
        return RecordingPart.of(
                Recorder.open(
                        settings(asset, window), window, SessionRecording.both(asset, listener)),
                asset);
    }

    private RecordingPart reopened(
            RecordingAsset asset, LiveWindow window, Recorder.Listener listener) {
        return RecordingPart.of(
                Recorder.reopen(
                        settings(asset, window), window, SessionRecording.both(asset, listener)),
                asset);
    }

    private Recorder.Settings settings(RecordingAsset asset, LiveWindow window) {
        return settings(
                window.session(),
                assets.folders().of(asset.asset().id()),
                Recorder.Purpose.RECORDING);
    }

    private SessionRecording.Opener spool(LiveWindow window) {
        // A session that continues has folders already.
        int existing = 0;
        while (Files.exists(spoolFolder(window.session(), existing))) {
            existing++;
        }
        int first = existing;
        return (number, listener) -> {
            // Requests may still read an earlier part's files.
            Path folder = spoolFolder(window.session(), first + number);
            return RecordingPart.spool(
                    Recorder.open(
                            settings(window.session(), folder, Recorder.Purpose.SPOOL),
                            window,
                            listener));
        };
    }

    private Path spoolFolder(SessionId session, int number) {
        return spool.resolve(number == 0 ? session.value() : session + "-" + number);
    }

    private Recorder.Settings settings(SessionId session, Path folder, Recorder.Purpose purpose) {
        return new Recorder.Settings(session, folder, purpose, least.get());
    }
}
