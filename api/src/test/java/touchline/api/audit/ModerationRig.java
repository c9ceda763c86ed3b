package touchline.api.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import touchline.api.access.FrameLinks;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretBox;
import touchline.api.access.SignedUrls;
import touchline.api.access.StreamKeys;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.db.Epoch;
import touchline.api.db.EvidenceRepository;
import touchline.api.db.MemoryDatabase;
import touchline.api.db.ModerationRepository;
import touchline.api.db.RecordFilter;
import touchline.api.db.SampledFrames;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Records;
import touchline.api.domain.SampledFrame;
import touchline.api.domain.Session;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.events.StreamEvents;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.codec.DecodingRefusedException;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.Detection;
import touchline.moderation.FrameReport;
import touchline.moderation.ModerationPolicy;
import touchline.moderation.SampleImage;

/** The services around one moderated session, with its own database and simulated models. */
final class ModerationRig implements AutoCloseable {
    static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    static final SessionId SESSION = new SessionId("ses_1");

    /** From a frame until the models have answered. */
    static final int JUDGED_AFTER_MS = 40;

    private static final ObjectMapper JSON = new ObjectMapper();

    final Database database;
    final StreamRepository streams;
    final ModerationRepository records;
    final EvidenceRepository evidence;
    final AuditRunRepository runs;
    final SampledFrames frames;
    final EvidenceFolder folder;
    final FrameLinks links;
    final ModerationRecorder recorder;
    final FakeModeration moderation = new FakeModeration();
    final List<StreamId> disabled = new ArrayList<>();
    final List<AuditSettings.OnReject> actions = new ArrayList<>();
    final List<DecodingRefusedException> refusals = new ArrayList<>();
    final AtomicInteger images = new AtomicInteger();
    final List<JsonNode> events = new ArrayList<>();
    final StreamDefinition stream;
    final SessionAudit session;
    Instant now = NOW;

    ModerationRig(Path dataDir) {
        InstantSource clock = () -> now;
        database = MemoryDatabase.open(clock);
        MasterKeys keys = MasterKeys.load(Optional.empty(), dataDir);
        streams = new StreamRepository(database, new StreamKeys(new SecretBox(keys)));
        records = new ModerationRepository(database);
        evidence = new EvidenceRepository(database);
        runs = new AuditRunRepository(database);
        frames = new SampledFrames(database);
        folder = new EvidenceFolder(dataDir.resolve("evidence"));
        links =
                new FrameLinks(
                        new SignedUrls(keys, clock), URI.create("http://play.test:8081"), clock);
        recorder =
                new ModerationRecorder(
                        database, folder, links, _ -> true, images::incrementAndGet, clock);
        stream = stream();
        streams.create(stream);
        new SessionRepository(database)
                .start(Session.started(SESSION, stream.id(), NOW), Epoch.ALONE);
        database.outbox().listen((event, _) -> events.add(parse(event.body())));
        session =
                SessionAudit.open(
                        SESSION,
                        NOW.minusSeconds(30),
                        stream,
                        () -> {
                            throw new IllegalStateException("no feed here");
                        },
                        refusals::add,
                        parts(clock));
    }

    private ModerationDependencies parts(InstantSource clock) {
        return new ModerationDependencies(
                moderation,
                recorder,
                database,
                runs,
                streams,
                new StreamEvents(database, URI.create("rtmp://push.test/live")),
                (stream, action) -> {
                    if (action == AuditSettings.OnReject.DISABLE) {
                        disabled.add(stream);
                    }
                    actions.add(action);
                },
                clock);
    }

    private static StreamDefinition stream() {
        return new StreamDefinition(
                StreamDefinition.newId(),
                StreamDefinition.DEFAULT_ACCOUNT,
                StreamKeys.create(),
                Records.with(StreamSettings.DEFAULTS, "title", "Cup final"),
                /* disabled= */ false,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                NOW);
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The database answers with errors. */
    void breakDatabase() throws SQLException {
        sql("ALTER TABLE sampled_frames RENAME TO sampled_frames_away");
        sql("ALTER TABLE moderation_records RENAME TO moderation_records_away");
    }

    void mendDatabase() throws SQLException {
        sql("ALTER TABLE sampled_frames_away RENAME TO sampled_frames");
        sql("ALTER TABLE moderation_records_away RENAME TO moderation_records");
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    FakeModeration.Task task() {
        return moderation.tasks.getFirst();
    }

    /** A client changes the moderation settings, and the session receives them. */
    void put(int interval, Map<String, Double> models, AuditSettings.OnReject onReject) {
        streams.putAudit(
                stream.id(),
                new AuditSettings(
                        interval, 1, new LinkedHashMap<>(models), onReject, /* gate= */ false));
        session.follow();
    }

    void put(int interval) {
        put(interval, Map.of("nude", 0.5), AuditSettings.OnReject.NONE);
    }

    /** A frame in which a model saw something with this confidence. */
    FrameReport report(int second, AlertType type, double confidence) {
        return report(
                second,
                type,
                confidence,
                _ -> ("JPEG " + second).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /** How a frame becomes a file. */
    interface Jpeg {
        byte[] of(int quality);
    }

    FrameReport report(int second, AlertType type, double confidence, Jpeg jpeg) {
        ModerationPolicy policy = task().policy().orElseThrow();
        Detection detection =
                new Detection(
                        type, "demo-" + type.wireName(), confidence, new Box(0.1, 0.2, 0.3, 0.4));
        return new FrameReport(
                stream.id(),
                SESSION,
                second * 1_000_000L,
                NOW.plusSeconds(second),
                NOW.plusSeconds(second).plusMillis(JUDGED_AFTER_MS),
                policy,
                List.of(new FrameReport.Result(detection, policy.judge(detection))),
                List.of(),
                new SampleImage() {
                    @Override
                    public int width() {
                        return 640;
                    }

                    @Override
                    public int height() {
                        return 360;
                    }

                    @Override
                    public byte[] toJpeg(int quality) {
                        return jpeg.of(quality);
                    }
                });
    }

    /** Newest first. */
    List<ModerationRecord> stored() {
        return records.list(RecordFilter.ALL, PageRequest.FIRST).items();
    }

    List<SampledFrame> sampled() {
        recorder.storeScores();
        List<SampledFrame> sampled = new ArrayList<>();
        frames.each(SESSION, sampled::add);
        return sampled;
    }

    @Override
    public void close() {
        recorder.close();
        database.close();
    }
}
