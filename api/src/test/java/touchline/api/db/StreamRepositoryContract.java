package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.PushRole;
import touchline.api.domain.Records;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.WatermarkSettings;
import touchline.media.StreamId;

/** Contract of {@link StreamRepository} on any database. */
abstract class StreamRepositoryContract {
    private static final StreamId UNKNOWN = new StreamId("str_unknown");

    private StreamRepository streams;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM live_streams"));
        streams = new StreamRepository(database(), Samples.vault());
    }

    private StreamDefinition created(StreamDefinition stream) {
        streams.create(stream);
        return stream;
    }

    @Test
    void find_everythingSet_comesBackEqual() {
        StreamDefinition stream = created(Samples.fullStream());

        assertEquals(Optional.of(stream), streams.find(stream.id()));
    }

    @Test
    void find_modelsGivenInOrder_keepTheirOrder() {
        StreamDefinition stream = created(Samples.fullStream());

        List<String> models =
                List.copyOf(
                        streams.find(stream.id())
                                .orElseThrow()
                                .audit()
                                .orElseThrow()
                                .models()
                                .keySet());

        assertEquals(List.of("weapon", "nude", "a-third"), models);
    }

    @Test
    void find_unknown_isEmpty() {
        assertEquals(Optional.empty(), streams.find(UNKNOWN));
    }

    @Test
    void create_secondPlaybackIdTaken_storesNothing() {
        StreamDefinition first = created(Samples.stream());
        StreamDefinition second =
                withPlaybackIds(
                        Samples.stream(),
                        List.of(
                                PlaybackId.create(PlaybackPolicy.PUBLIC),
                                first.playbackIds().getFirst()));

        assertThrows(DatabaseException.class, () -> streams.create(second));

        assertEquals(Optional.empty(), streams.find(second.id()));
        assertEquals(Optional.empty(), streams.findByStreamKey(second.streamKey()));
        assertEquals(
                Optional.empty(), streams.findByPlaybackId(second.playbackIds().getFirst().id()));
    }

    @Test
    void create_keyTaken_failsWithoutTheKeyInItsMessages() {
        StreamDefinition first = created(Samples.stream());
        StreamDefinition second =
                new StreamDefinition(
                        StreamDefinition.newId(),
                        first.accountId(),
                        first.streamKey(),
                        Records.with(first.settings(), "userMetadata", "private words"),
                        false,
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Samples.NOW);

        DatabaseException failure =
                assertThrows(DatabaseException.class, () -> streams.create(second));

        assertTrue(Database.isUniqueViolation(failure));
        for (Throwable t = failure; t != null; t = t.getCause()) {
            assertFalse(String.valueOf(t.getMessage()).contains(first.streamKey()));
            assertFalse(String.valueOf(t.getMessage()).contains("private words"));
        }
    }

    @Test
    void stored_keys_areNowhereInPlainText() {
        StreamDefinition stream = created(Samples.fullStream());
        WatermarkSettings.Stream overlay =
                (WatermarkSettings.Stream) stream.watermark().orElseThrow();

        List<String> texts =
                database()
                        .with(
                                handle ->
                                        handle.createQuery(
                                                        "SELECT key_hash || ' ' || sealed FROM"
                                                                + " stream_keys UNION ALL SELECT"
                                                                + " watermark FROM live_streams")
                                                .mapTo(String.class)
                                                .list());

        String backup = stream.backup().streamKey().orElseThrow();
        assertEquals(4, texts.size());
        for (String text : texts) {
            assertFalse(text.contains(stream.streamKey()), text);
            assertFalse(text.contains(overlay.streamKey()), text);
            assertFalse(text.contains(backup), text);
        }
    }

    @Test
    void findByStreamKey_eitherKey_returnsTheRole() {
        StreamDefinition stream = created(Samples.fullStream());
        WatermarkSettings.Stream overlay =
                (WatermarkSettings.Stream) stream.watermark().orElseThrow();

        assertEquals(
                Optional.of(new StreamRepository.KeyOwner(stream, PushRole.MAIN)),
                streams.findByStreamKey(stream.streamKey()));
        assertEquals(
                Optional.of(new StreamRepository.KeyOwner(stream, PushRole.OVERLAY)),
                streams.findByStreamKey(overlay.streamKey()));
        assertEquals(Optional.empty(), streams.findByStreamKey(stream.streamKey() + "x"));
        assertEquals(Optional.empty(), streams.findByStreamKey(""));
    }

    @Test
    void findByPlaybackId_anyOfThem_findsTheStream() {
        StreamDefinition stream = created(Samples.fullStream());

        for (PlaybackId playbackId : stream.playbackIds()) {
            assertEquals(Optional.of(stream), streams.findByPlaybackId(playbackId.id()));
        }
        assertEquals(Optional.empty(), streams.findByPlaybackId("nothing"));
    }

    @Test
    void list_threePages_newestFirstWithoutGapOrDouble() {
        List<StreamId> newestFirst = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            newestFirst.addFirst(created(Samples.stream()).id());
        }

        List<StreamId> listed = new ArrayList<>();
        for (int page = 1; page <= 3; page++) {
            Page<StreamDefinition> found =
                    streams.list(new StreamFilter.All(), new PageRequest(page, 3));
            assertEquals(7, found.total());
            assertEquals(page < 3, found.hasMore());
            found.items().forEach(stream -> listed.add(stream.id()));
        }

        assertEquals(newestFirst, listed);
        assertEquals(
                List.of(), streams.list(new StreamFilter.All(), new PageRequest(4, 3)).items());
    }

    @Test
    void list_byStatus_disabledIsNeitherActiveNorIdle() {
        StreamId idle = created(Samples.stream()).id();
        StreamId active = created(Samples.stream()).id();
        StreamId disabled = created(Samples.fullStream()).id();

        Set<StreamId> running = Set.of(active, disabled);

        assertEquals(List.of(active), ids(new StreamFilter.Active(running)));
        assertEquals(List.of(idle), ids(new StreamFilter.Idle(running)));
        assertEquals(List.of(disabled), ids(new StreamFilter.Disabled()));
        assertEquals(List.of(), ids(new StreamFilter.Active(Set.of())));
        assertEquals(List.of(active, idle), ids(new StreamFilter.Idle(Set.of())));
    }

    @Test
    void list_bySearch_findsTitleMetadataAndIdInAnyCase() {
        StreamId plain = created(Samples.stream()).id();
        StreamId full = created(Samples.fullStream()).id();

        assertEquals(List.of(full), found("cup FINAL"));
        assertEquals(List.of(full), found("ÄÖÜ"));
        assertEquals(List.of(full), found("\"match\": 7"));
        assertEquals(List.of(plain), found(plain.value().substring(4)));
        assertEquals(List.of(), found("%"));
        assertEquals(List.of(), found("c_p"));
        assertEquals(List.of(), found("!"));
    }

    private List<StreamId> found(String text) {
        StreamListing listing =
                new StreamListing(new StreamFilter.All(), Optional.of(text), Set.of());
        return ids(streams.list(listing, PageRequest.FIRST));
    }

    @Test
    void list_withSomeFirst_startsWithThoseAndKeepsTheOrder() {
        List<StreamId> newestFirst = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            newestFirst.addFirst(created(Samples.stream()).id());
        }
        Set<StreamId> live = Set.of(newestFirst.get(1), newestFirst.get(3));
        StreamListing listing = new StreamListing(new StreamFilter.All(), Optional.empty(), live);

        Page<StreamDefinition> page = streams.list(listing, PageRequest.FIRST);

        assertEquals(
                List.of(
                        newestFirst.get(1),
                        newestFirst.get(3),
                        newestFirst.get(0),
                        newestFirst.get(2)),
                ids(page));
    }

    private List<StreamId> ids(StreamFilter filter) {
        return ids(streams.list(filter, PageRequest.FIRST));
    }

    private static List<StreamId> ids(Page<StreamDefinition> page) {
        assertEquals(page.items().size(), page.total());
        return page.items().stream().map(StreamDefinition::id).toList();
    }

    @Test
    void ping_openDatabase_answers() {
        database().ping();
        assertNotEquals(0, streams.list(new StreamFilter.All(), PageRequest.FIRST).page());
    }

    private static StreamDefinition withPlaybackIds(
            StreamDefinition stream, List<PlaybackId> playbackIds) {
        return new StreamDefinition(
                stream.id(),
                stream.accountId(),
                stream.streamKey(),
                stream.settings(),
                stream.disabled(),
                playbackIds,
                stream.audit(),
                stream.watermark(),
                stream.createdAt());
    }
}
