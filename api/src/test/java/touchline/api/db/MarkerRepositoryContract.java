package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.MarkerRepository.Owner;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetState;
import touchline.api.domain.Marker;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Session;
import touchline.api.domain.StreamDefinition;
import touchline.api.view.AssetView;
import touchline.media.SessionId;

/** Contract of {@link MarkerRepository} on any database. */
abstract class MarkerRepositoryContract {
    private static final SessionId SESSION = new SessionId("ses_of_markers");
    private static final Owner OWNER = Owner.of(SESSION);

    private MarkerRepository markers;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM markers"));
        markers = new MarkerRepository(database());
    }

    private Marker created(Owner owner, long timeUs) {
        Marker marker = Marker.create("at " + timeUs, Marker.SCORE, timeUs, Samples.NOW);
        assertTrue(markers.create(owner, marker));
        return marker;
    }

    @Test
    void list_isInTheOrderOfTimesThenOfCreation() {
        Marker late = created(OWNER, 9_000_000);
        Marker early = created(OWNER, 1);
        Marker alike = created(OWNER, 9_000_000);
        created(Owner.of(new SessionId("ses_other")), 5);

        Page<Marker> second = markers.list(OWNER, new PageRequest(2, 2));

        assertEquals(List.of(early, late, alike), markers.all(OWNER));
        assertEquals(List.of(alike), second.items());
        assertEquals(3, second.total());
    }

    @Test
    void create_aboveTheLimit_isRefused() {
        database()
                .transact(
                        () -> {
                            for (int i = 0; i < MarkerRepository.MAX_MARKERS; i++) {
                                created(OWNER, i);
                            }
                        });

        assertFalse(markers.create(OWNER, Marker.create("more", "", 1, Samples.NOW)));
        created(Owner.of(new SessionId("ses_other")), 1);
    }

    @Test
    void delete_ofAnotherOwner_isNothing() {
        Marker marker = created(OWNER, 1);

        assertFalse(markers.delete(Owner.of(new SessionId("ses_other")), marker.id()));
        assertTrue(markers.delete(OWNER, marker.id()));
        assertFalse(markers.delete(OWNER, marker.id()));
    }

    @Test
    void deleteOrphans_waitsForSessionAndRecording() {
        StreamRepository streams = new StreamRepository(database(), Samples.vault());
        StreamDefinition stream = Samples.stream();
        streams.create(stream);
        new SessionRepository(database())
                .start(Session.started(SESSION, stream.id(), Samples.NOW), Epoch.ALONE);
        Asset recording =
                Asset.recording(stream, SESSION, Samples.NOW)
                        .with(AssetState.finished(1_000, 10, List.of(), Samples.NOW));
        AssetRepository assets = new AssetRepository(database(), AssetView::of);
        created(OWNER, 1);
        created(Owner.of(recording.id()), 1);
        created(Owner.of(new SessionId("ses_gone")), 1);

        assertEquals(2, markers.deleteOrphans(10));
        assets.create(recording);
        created(Owner.of(recording.id()), 1);
        streams.delete(stream.id());
        assertEquals(0, markers.deleteOrphans(10));

        assets.delete(recording.id());
        assertEquals(1, markers.deleteOrphans(1));
        assertEquals(1, markers.deleteOrphans(1));
        assertEquals(0, markers.deleteOrphans(1));
    }
}
