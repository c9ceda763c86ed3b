package touchline.api.http;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;
import touchline.api.db.StreamRepository;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.SessionReport;
import touchline.api.domain.TrackStatus;
import touchline.api.programme.StandbyControl;
import touchline.api.session.LiveControl;
import touchline.api.session.RunningSources;
import touchline.api.session.SessionReports;
import touchline.api.session.SourceControl;
import touchline.api.signal.SignalControl;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStream;
import touchline.media.hub.LiveStreams;
import touchline.media.hub.Publication;
import touchline.media.hub.PublishRequest;
import touchline.media.hub.Role;
import touchline.media.rendition.RenditionStatus;

/**
 * LiveControl on the real registry of sessions, without packager or encoder. It records its calls.
 */
final class FakeLive implements LiveControl, AutoCloseable {
    private static final int SAMPLE_RATE_HZ = 48_000;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final LiveStreams streams;
    private final StandbyControl standby;

    /** Recorded calls, oldest first. */
    final List<String> calls = new CopyOnWriteArrayList<>();

    final List<StreamId> enabled = new CopyOnWriteArrayList<>();

    /** Session times of running sessions; empty without an entry. */
    final Map<SessionId, Long> positionsUs = new ConcurrentHashMap<>();

    final FakeSignals signals = new FakeSignals();

    FakeLive(InstantSource clock, StreamRepository definitions) {
        this.streams = new LiveStreams(clock, timer, new LiveStreams.Listener() {});
        this.standby =
                new StandbyControl(
                        this::active,
                        definitions,
                        _ -> CompletableFuture.failedFuture(new IllegalStateException("no media")));
    }

    /** Starts a session as an encoder does: by its first media. */
    LiveStream start(StreamId stream) {
        Publication publication =
                streams.publish(
                        new PublishRequest(
                                stream, Role.MAIN, Duration.ofSeconds(60), "test", _ -> {}));
        Track audio =
                new Track(
                        Track.AUDIO_ID,
                        new Timescale(SAMPLE_RATE_HZ),
                        new CodecConfig.Mp3(SAMPLE_RATE_HZ, 2));
        publication.begin(List.of(audio));
        publication.write(
                new AccessUnit(
                        audio,
                        0,
                        0,
                        /* idr= */ true,
                        MemorySegment.ofArray(new byte[8]).asReadOnly()));
        return active(stream).orElseThrow();
    }

    /** The encoder disconnects; its session waits for it. */
    void disconnect(StreamId stream) {
        streams.cutPublisher(stream, Role.MAIN, EndReason.KEY_RESET);
    }

    @Override
    public Optional<LiveStream> active(StreamId stream) {
        return streams.active(stream, Role.MAIN);
    }

    @Override
    public Set<StreamId> activeStreams() {
        return streams.active().stream()
                .filter(live -> live.role() == Role.MAIN)
                .map(LiveStream::stream)
                .collect(Collectors.toSet());
    }

    @Override
    public Optional<SessionReport> report(SessionId session) {
        return streams.active().stream()
                .filter(live -> live.session().equals(session))
                .map(
                        live ->
                                SessionReports.of(
                                        live.report(),
                                        LatencyMode.STANDARD,
                                        List.of(),
                                        Optional.empty()))
                .findFirst();
    }

    @Override
    public OptionalLong mediaStartUs(SessionId session) {
        return OptionalLong.empty();
    }

    @Override
    public OptionalLong positionUs(SessionId session) {
        Long known = positionsUs.get(session);
        return known == null ? OptionalLong.empty() : OptionalLong.of(known);
    }

    @Override
    public List<RenditionStatus> renditions(SessionId session) {
        return List.of();
    }

    @Override
    public SignalControl signals() {
        return signals;
    }

    @Override
    public SourceControl sources() {
        return new RunningSources(streams);
    }

    @Override
    public List<TrackStatus> tracks(SessionId session) {
        return List.of();
    }

    @Override
    public int activeCount() {
        return activeStreams().size();
    }

    @Override
    public void end(StreamId stream, EndReason reason) {
        calls.add("end " + stream + " " + reason);
        streams.end(stream, reason);
    }

    @Override
    public void enabled(StreamId stream) {
        enabled.add(stream);
    }

    @Override
    public void streamKeyReset(StreamId stream) {
        calls.add("streamKeyReset " + stream);
    }

    @Override
    public void settingsChanged(StreamId stream) {
        calls.add("settingsChanged " + stream);
    }

    @Override
    public StandbyControl standby() {
        return standby;
    }

    @Override
    public void playbackIdsChanged(StreamId stream) {
        calls.add("playbackIdsChanged " + stream);
    }

    @Override
    public void close() {
        streams.endAll();
        timer.shutdownNow();
    }
}
