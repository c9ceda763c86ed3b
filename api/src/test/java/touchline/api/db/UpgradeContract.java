package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.api.access.MasterKeys;
import touchline.api.access.SealedSecrets;
import touchline.api.access.SecretBox;
import touchline.api.access.StreamKeys;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.Delivery;
import touchline.api.domain.Marker;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.PageRequest;
import touchline.api.domain.ScoreLink;
import touchline.api.domain.Session;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.TaskState;
import touchline.api.domain.WatermarkSettings;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.view.AssetView;
import touchline.config.DatabaseConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.StandbySettings;
import touchline.media.rendition.RenditionSettings;

/** A database of each earlier schema is migrated by its opening, and its rows are read. */
abstract class UpgradeContract {
    private static final StreamId FIRST = new StreamId("str_first");
    private static final PageRequest PAGE = PageRequest.FIRST;

    private final SecretBox box =
            new SecretBox(
                    MasterKeys.load(
                            Optional.of(ReleasedRows.MASTER_KEY), Path.of("does-not-exist")));

    @TempDir private Path folder;

    static List<Integer> versions() {
        return ReleasedRows.versions();
    }

    /** The address of an empty database. */
    abstract DatabaseConfig newDatabase();

    @ParameterizedTest
    @MethodSource("versions")
    void database_ofAnEarlierSchema_isMigratedAndRead(int version) throws SQLException {
        DatabaseConfig config = newDatabase();
        ReleasedRows.make(DatabaseAddress.of(config, folder), version);

        try (Database database = Database.open(config, folder)) {
            streams(database);
            if (version >= 3) {
                assets(database, version);
            }
            if (version >= 5) {
                events(database, version);
            }
            if (version >= 6) {
                moderation(database, version);
            }
            if (version >= 8) {
                transcoding(database);
            }
            if (version >= 9) {
                assertEquals(
                        2,
                        new ScoreboardRepository(database)
                                .find(FIRST)
                                .orElseThrow()
                                .score()
                                .home());
            }
            if (version >= 17) {
                markers(database);
            }
            if (version >= 24) {
                reel(database);
            }
            if (version >= 23) {
                ScoreLink link = new ScoreLinkRepository(database).find("scl_first").orElseThrow();
                assertEquals(FIRST, link.stream());
                assertEquals(
                        Optional.of(Instant.ofEpochMilli(1_772_600_500_000L)), link.lastUsedAt());
            }
            renditions(database, version);
            programme(database, version);
            assertEquals(
                    version >= 16
                            ? Optional.of(Instant.ofEpochMilli(1_772_600_950_000L))
                            : Optional.empty(),
                    new TokenRepository(database).find("tok1").orElseThrow().lastUsedAt());
            assertEquals(version >= 2 ? 1 : 0, new SigningKeyRepository(database).count());
            assertEquals(0, new SessionRepository(database).suspended(Instant.now()).size());
        }
        // Once more: nothing is left to migrate.
        try (Database database = Database.open(config, folder)) {
            streams(database);
        }
    }

    private void streams(Database database) {
        StreamRepository streams = new StreamRepository(database, new StreamKeys(box));
        assertEquals(0, streams.resealStaleKeys());
        StreamDefinition first = streams.find(FIRST).orElseThrow();
        assertEquals("Cup final 'äöü' 🏆", first.settings().title());
        assertEquals("key-of-first", first.streamKey());
        assertEquals(2, first.playbackIds().size());
        assertEquals(5, first.audit().orElseThrow().frameIntervalSeconds());
        assertEquals(1, first.audit().orElseThrow().samples());
        assertTrue(first.watermark().orElseThrow() instanceof WatermarkSettings.Html);
        StreamDefinition second = streams.findByPlaybackId("pb_other").orElseThrow();
        assertTrue(second.disabled());
        assertTrue(
                second.watermark().orElseThrow() instanceof WatermarkSettings.Stream stream
                        && stream.streamKey().equals("overlay-of-second"));
        assertEquals(
                second.id(), streams.findByStreamKey("key-of-second").orElseThrow().stream().id());
        Session ended =
                new SessionRepository(database).find(new SessionId("ses_ended")).orElseThrow();
        assertEquals(List.of("avc1.64001f", "mp4a.40.2"), ended.report().codecs());
        assertEquals(1, ended.report().warnings().size());
    }

    private void renditions(Database database, int version) {
        StreamRepository streams = new StreamRepository(database, new StreamKeys(box));
        RenditionSettings first = streams.find(FIRST).orElseThrow().settings().renditions();
        RenditionSettings second =
                streams.findByPlaybackId("pb_other").orElseThrow().settings().renditions();
        assertEquals(
                version >= 15
                        ? List.of(
                                new RenditionSettings.Rendition(720, 0, 0),
                                new RenditionSettings.Rendition(360, 600_000, 25))
                        : List.of(),
                first.renditions());
        assertEquals(version >= 15, second.auto());
    }

    private void programme(Database database, int version) {
        StreamDefinition first =
                new StreamRepository(database, new StreamKeys(box)).find(FIRST).orElseThrow();
        StandbySettings standby = first.settings().standby();
        if (version >= 18) {
            assertEquals(StandbySettings.Mode.SLATE, standby.mode());
            assertEquals(Duration.ofMillis(2_500), standby.after());
            assertEquals(Optional.of("img_slate"), standby.image());
            assertEquals(
                    "bytes of a slate",
                    new String(
                            new ImageRepository(database).file("img_slate").orElseThrow().bytes(),
                            StandardCharsets.UTF_8));
        } else {
            assertEquals(StandbySettings.Mode.NONE, standby.mode());
        }
        assertEquals(
                version >= 19 ? Optional.of("backup-of-first") : Optional.empty(),
                first.backup().streamKey());
        assertEquals(
                Duration.ofMillis(version >= 19 ? 700 : 1_000),
                first.backup().failover().failoverAfter());
        if (version >= 20) {
            RestreamRepository restreams =
                    new RestreamRepository(database, SealedSecrets.ofRestreams(box));
            assertEquals(0, restreams.resealStale());
            RestreamRepository.Target target = restreams.enabled(FIRST).getFirst();
            assertEquals("key-of-target", target.streamKey());
            assertEquals("Club's channel", target.restream().name());
        }
        assertEquals(version >= 21, first.settings().signalWatch());
    }

    private static void markers(Database database) {
        MarkerRepository markers = new MarkerRepository(database);
        List<Marker> ofSession = markers.all(MarkerRepository.Owner.of(new SessionId("ses_ended")));
        assertEquals(List.of("mrk_start", "mrk_goal"), ids(ofSession));
        assertEquals("Goal '1:0'", ofSession.getLast().label());
        assertEquals(0, markers.deleteOrphans(10));
        assertEquals(
                List.of("mrk_clip"),
                ids(markers.all(MarkerRepository.Owner.of(new AssetId("ast_clip")))));
    }

    private static void reel(Database database) {
        assertEquals(
                new AssetOrigin.Joined(
                        List.of(
                                new AssetOrigin.Cut(new AssetId("ast_whole"), 1_000_000, 3_000_000),
                                new AssetOrigin.Cut(
                                        new AssetId("ast_gone"), 7_000_000, 10_000_000))),
                new AssetRepository(database, AssetView::of)
                        .find(new AssetId("ast_reel"))
                        .orElseThrow()
                        .origin());
    }

    private static List<String> ids(List<Marker> markers) {
        return markers.stream().map(Marker::id).toList();
    }

    private static void assets(Database database, int version) {
        AssetRepository assets = new AssetRepository(database, AssetView::of);
        assertEquals(
                20_000_000,
                assets.find(new AssetId("ast_whole")).orElseThrow().state().durationUs());
        assertEquals(
                new AssetOrigin.Recorded(new SessionId("ses_ended"), /* fromStart= */ true),
                assets.find(new AssetId("ast_whole")).orElseThrow().origin());
        assertEquals(
                "source_missing",
                assets.find(new AssetId("ast_clip"))
                        .orElseThrow()
                        .state()
                        .errors()
                        .getFirst()
                        .type());
        assertEquals(List.of(new AssetId("ast_gone")), assets.leftovers(5));
        assertEquals(1, assets.live().size());
        assertEquals(version >= 24 ? 5 : version >= 10 ? 4 : 3, assets.all().size());
    }

    private void events(Database database, int version) {
        WebhookRepository webhooks = new WebhookRepository(database, SealedSecrets.ofWebhooks(box));
        int _ = webhooks.resealStale();
        WebhookEndpoint first = webhooks.find("we_first").orElseThrow();
        assertEquals("https://example.com/first" + (version < 14 ? "?token=old" : ""), first.url());
        assertEquals(
                List.of("whsec_new", "whsec_old"),
                webhooks.secrets("we_first").orElseThrow().valid(Instant.now()));
        if (version >= 14) {
            assertEquals(
                    "https://example.com/second?token=abc",
                    webhooks.find("we_second").orElseThrow().url());
        }
        assertEquals(
                2, new EventRepository(database).list(EventRepository.Choice.ALL, PAGE).total());
        Delivery delivery = new DeliveryLog(database).find("we_first", "del_1").orElseThrow();
        assertTrue(
                delivery.attempts()
                        .getFirst()
                        .requestHead()
                        .matches("POST /first(\\?\\.\\.\\.)? HTTP/1.1"),
                delivery::toString);
    }

    private static void moderation(Database database, int version) {
        ModerationRecord record = new ModerationRepository(database).find(1).orElseThrow();
        assertEquals(0.93, record.findings().getFirst().confidence());
        assertEquals(1, new AuditRunRepository(database).of(new SessionId("ses_ended")).size());
        assertEquals(
                version >= 13 ? 1 : 0,
                new AuditRunRepository(database).of(new SessionId("ses_running")).size());
        assertEquals(1, new SampledFrames(database).list(new SessionId("ses_ended"), PAGE).total());
    }

    private void transcoding(Database database) {
        StorageRepository storages = new StorageRepository(database, SealedSecrets.ofStorages(box));
        OutputStorage storage = storages.find("sto_1").orElseThrow();
        assertEquals("sk", storage.keys().orElseThrow().secretKey());
        TranscodingRepository tasks = new TranscodingRepository(database, storages);
        assertEquals(TaskState.SUCCEEDED, tasks.find("tsk_1").orElseThrow().status().state());
        assertEquals(1, tasks.noticeLog("req_1").orElseThrow().attempts().size());
    }
}
