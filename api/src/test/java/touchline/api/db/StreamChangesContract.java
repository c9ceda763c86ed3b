package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.access.StreamKeys;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.PushRole;
import touchline.api.domain.Records;
import touchline.api.domain.Session;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.WatermarkSettings;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Contract of {@link StreamRepository} for changes, also concurrent ones, on any database. */
abstract class StreamChangesContract {
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
    void patch_oneField_leavesTheOthers() {
        StreamDefinition stream = created(Samples.fullStream());

        Optional<StreamDefinition> patched =
                streams.patch(
                        stream.id(),
                        settings -> Records.with(settings, "latencyMode", LatencyMode.STANDARD));

        assertEquals(
                Records.with(stream.settings(), "latencyMode", LatencyMode.STANDARD),
                patched.orElseThrow().settings());
        assertEquals(patched, streams.find(stream.id()));
        assertEquals(Optional.empty(), streams.patch(UNKNOWN, settings -> settings));
    }

    @Test
    void patch_changeThrows_changesNothing() {
        StreamDefinition stream = created(Samples.stream());

        assertThrows(
                IllegalArgumentException.class,
                () ->
                        streams.patch(
                                stream.id(),
                                settings ->
                                        Records.with(settings, "reconnectWindowSeconds", 1801)));

        assertEquals(Optional.of(stream), streams.find(stream.id()));
    }

    @Test
    void patch_manyAtOnce_losesNoUpdate() throws Exception {
        StreamDefinition stream = created(Samples.stream());
        List<Callable<Object>> patches = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            patches.add(
                    () ->
                            streams.patch(
                                    stream.id(),
                                    settings ->
                                            Records.with(
                                                    settings, "title", settings.title() + "x")));
        }

        Together.run(patches);

        assertEquals("x".repeat(20), streams.find(stream.id()).orElseThrow().settings().title());
    }

    @Test
    void setDisabled_twice_isIdempotent() {
        StreamId stream = created(Samples.stream()).id();

        assertEquals(Change.CHANGED, streams.setDisabled(stream, true));
        assertEquals(Change.UNCHANGED, streams.setDisabled(stream, true));
        assertTrue(streams.find(stream).orElseThrow().disabled());
        assertEquals(Change.CHANGED, streams.setDisabled(stream, false));
        assertFalse(streams.find(stream).orElseThrow().disabled());
        assertEquals(Change.NOT_FOUND, streams.setDisabled(UNKNOWN, true));
    }

    @Test
    void delete_stream_takesKeysPlaybackIdsAndSessionsAlong() {
        StreamDefinition stream = created(Samples.fullStream());
        SessionRepository sessions = new SessionRepository(database());
        SessionId session = new SessionId("ses_1");
        sessions.start(Session.started(session, stream.id(), Samples.NOW), Epoch.ALONE);

        assertTrue(streams.delete(stream.id()));

        assertFalse(streams.delete(stream.id()));
        assertEquals(Optional.empty(), streams.find(stream.id()));
        assertEquals(Optional.empty(), streams.findByStreamKey(stream.streamKey()));
        assertEquals(
                Optional.empty(), streams.findByPlaybackId(stream.playbackIds().getFirst().id()));
        assertEquals(Optional.empty(), sessions.find(session));
    }

    @Test
    void resetStreamKey_once_oldKeyFindsNothing() {
        StreamDefinition stream = created(Samples.stream());
        String newKey = StreamKeys.create();

        StreamDefinition after =
                streams.resetStreamKey(stream.id(), PushRole.MAIN, newKey).orElseThrow();

        assertEquals(newKey, after.streamKey());
        assertEquals(Optional.empty(), streams.findByStreamKey(stream.streamKey()));
        assertEquals(
                Optional.of(new StreamRepository.KeyOwner(after, PushRole.MAIN)),
                streams.findByStreamKey(newKey));
        assertEquals(
                Optional.empty(),
                streams.resetStreamKey(UNKNOWN, PushRole.MAIN, StreamKeys.create()));
    }

    @Test
    void addPlaybackId_manyAtOnce_stopsAtTheLimit() throws Exception {
        StreamDefinition stream = created(Samples.stream());
        List<Callable<StreamRepository.Addition>> additions = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            additions.add(
                    () ->
                            streams.addPlaybackId(
                                    stream.id(), PlaybackId.create(PlaybackPolicy.SIGNED)));
        }

        List<StreamRepository.Addition> results = Together.run(additions);

        assertEquals(19, results.stream().filter(StreamRepository.Addition.ADDED::equals).count());
        assertEquals(5, results.stream().filter(StreamRepository.Addition.FULL::equals).count());
        assertEquals(20, streams.playbackIds(stream.id()).size());
        assertEquals(stream.playbackIds().getFirst(), streams.playbackIds(stream.id()).getFirst());
        assertEquals(
                StreamRepository.Addition.STREAM_NOT_FOUND,
                streams.addPlaybackId(UNKNOWN, PlaybackId.create(PlaybackPolicy.PUBLIC)));
    }

    @Test
    void deletePlaybackId_inTheMiddle_keepsOrderAndTakesNewOnesBehind() {
        StreamDefinition stream = created(Samples.fullStream());
        List<PlaybackId> ids = stream.playbackIds();
        PlaybackId added = PlaybackId.create(PlaybackPolicy.PUBLIC);

        assertTrue(streams.deletePlaybackId(stream.id(), ids.get(1).id()));
        assertFalse(streams.deletePlaybackId(stream.id(), ids.get(1).id()));
        streams.addPlaybackId(stream.id(), added);

        assertEquals(List.of(ids.get(0), ids.get(2), added), streams.playbackIds(stream.id()));
        assertEquals(Optional.empty(), streams.findByPlaybackId(ids.get(1).id()));
    }

    @Test
    void deletePlaybackId_ofAnotherStream_deletesNothing() {
        StreamDefinition mine = created(Samples.stream());
        StreamDefinition other = created(Samples.stream());

        assertFalse(streams.deletePlaybackId(mine.id(), other.playbackIds().getFirst().id()));

        assertEquals(other.playbackIds(), streams.playbackIds(other.id()));
    }

    @Test
    void audit_putAndDelete_roundTrip() {
        StreamId stream = created(Samples.stream()).id();

        assertEquals(Change.UNCHANGED, streams.deleteAudit(stream));
        assertEquals(
                Optional.of(Samples.audit()),
                streams.putAudit(stream, Samples.audit()).orElseThrow().audit());
        assertEquals(Change.CHANGED, streams.deleteAudit(stream));
        assertEquals(Optional.empty(), streams.find(stream).orElseThrow().audit());
        assertEquals(Change.NOT_FOUND, streams.deleteAudit(UNKNOWN));
        assertEquals(Optional.empty(), streams.putAudit(UNKNOWN, Samples.audit()));
    }

    @Test
    void putWatermark_fromStreamToHtml_secondKeyIsGone() {
        StreamId stream = created(Samples.stream()).id();
        String key = StreamKeys.create();

        streams.putWatermark(stream, Samples.streamWatermark(key));
        assertEquals(
                Optional.of(Samples.streamWatermark(key)),
                streams.find(stream).orElseThrow().watermark());
        streams.putWatermark(stream, Samples.streamWatermark(key));
        assertEquals(PushRole.OVERLAY, streams.findByStreamKey(key).orElseThrow().role());
        streams.putWatermark(stream, Samples.HTML);

        assertEquals(Optional.of(Samples.HTML), streams.find(stream).orElseThrow().watermark());
        assertEquals(Optional.empty(), streams.findByStreamKey(key));
        assertEquals(Optional.empty(), streams.putWatermark(UNKNOWN, Samples.HTML));
    }

    @Test
    void putWatermark_withoutOverlaySettings_differsFromDefaults() {
        StreamId stream = created(Samples.stream()).id();
        WatermarkSettings bare =
                new WatermarkSettings.Html("http://example.com", 60, Optional.empty());

        assertEquals(
                Optional.of(bare), streams.putWatermark(stream, bare).orElseThrow().watermark());
    }

    @Test
    void deleteWatermark_typeStream_takesItsKeyAlong() {
        StreamId stream = created(Samples.stream()).id();
        String key = StreamKeys.create();
        streams.putWatermark(stream, Samples.streamWatermark(key));

        assertEquals(Change.CHANGED, streams.deleteWatermark(stream));

        assertEquals(Optional.empty(), streams.find(stream).orElseThrow().watermark());
        assertEquals(Optional.empty(), streams.findByStreamKey(key));
        assertEquals(Change.UNCHANGED, streams.deleteWatermark(stream));
        assertEquals(Change.NOT_FOUND, streams.deleteWatermark(UNKNOWN));
    }

    @Test
    void transaction_thatThrows_takesEveryRepositoryBack() {
        StreamDefinition stream = Samples.stream();
        SessionRepository sessions = new SessionRepository(database());

        assertThrows(
                IllegalStateException.class,
                () ->
                        database()
                                .transact(
                                        () -> {
                                            streams.create(stream);
                                            assertTrue(
                                                    sessions.start(
                                                            Session.started(
                                                                    new SessionId("ses_2"),
                                                                    stream.id(),
                                                                    Samples.NOW),
                                                            Epoch.ALONE));
                                            throw new IllegalStateException("stop");
                                        }));

        assertEquals(Optional.empty(), streams.find(stream.id()));
        assertEquals(Optional.empty(), sessions.find(new SessionId("ses_2")));
    }

    @Test
    void findLocked_readModifyWriteAtOnce_losesNoUpdate() throws Exception {
        StreamId stream = created(Samples.stream()).id();
        List<Callable<Object>> changes = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            changes.add(() -> database().transaction(() -> lengthenUrl(stream)));
        }

        Together.run(changes);

        WatermarkSettings.Html html =
                (WatermarkSettings.Html)
                        streams.find(stream).orElseThrow().watermark().orElseThrow();
        assertEquals("https://x/" + "x".repeat(12), html.url());
        assertThrows(IllegalStateException.class, () -> streams.findLocked(stream));
    }

    private StreamDefinition lengthenUrl(StreamId stream) {
        String url =
                switch (streams.findLocked(stream).orElseThrow().watermark().orElse(null)) {
                    case WatermarkSettings.Html html -> html.url();
                    case null, default -> "https://x/";
                };
        return streams.putWatermark(
                        stream, new WatermarkSettings.Html(url + "x", 10, Optional.empty()))
                .orElseThrow();
    }
}
