package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Restream;
import touchline.api.domain.StreamDefinition;

/** Contract of {@link RestreamRepository} on any database. */
abstract class RestreamRepositoryContract {
    private RestreamRepository restreams;
    private StreamDefinition stream;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM restreams"));
        restreams = new RestreamRepository(database(), WebhookRepositoryContract.VAULT);
        stream = Samples.stream();
        new StreamRepository(database(), Samples.vault()).create(stream);
    }

    private Restream created(String key) {
        Restream restream =
                Restream.create(stream.id(), "Other", "rtmp://a.test/live", true, Samples.NOW);
        assertEquals(StreamRepository.Addition.ADDED, restreams.create(restream, key));
        return restream;
    }

    @Test
    void keys_areSealed_andBoundToTheirRestream() {
        Restream first = created("key-one");
        Restream second = created("key-two");

        String sealed =
                database()
                        .with(
                                handle ->
                                        handle.createQuery(
                                                        "SELECT sealed FROM restreams WHERE id = :id")
                                                .bind("id", first.id())
                                                .mapTo(String.class)
                                                .one());
        assertFalse(sealed.equals("key-one"));
        assertEquals(
                List.of("key-one", "key-two"),
                restreams.enabled(stream.id()).stream()
                        .map(RestreamRepository.Target::streamKey)
                        .toList());
        assertEquals(
                List.of(second, first),
                restreams.list(stream.id(), new PageRequest(1, 10)).items());
        assertFalse(restreams.enabled(stream.id()).toString().contains("key-one"));
    }

    @Test
    void change_replacesWhatIsGiven() {
        Restream restream = created("key-one");

        Restream after =
                restreams
                        .change(
                                stream.id(),
                                restream.id(),
                                each -> each.withName("B").withUrl("rtmp://b.test/x"),
                                Optional.of("key-new"))
                        .orElseThrow();

        assertEquals(after, restreams.find(stream.id(), restream.id()).orElseThrow());
        assertEquals("B", after.name());
        assertEquals("key-new", restreams.enabled(stream.id()).getFirst().streamKey());
        restreams.change(
                stream.id(), restream.id(), each -> each.withEnabled(false), Optional.empty());
        assertEquals(List.of(), restreams.enabled(stream.id()));
        assertTrue(restreams.delete(stream.id(), restream.id()));
        assertFalse(restreams.delete(stream.id(), restream.id()));
        assertEquals(
                Optional.empty(),
                restreams.change(stream.id(), restream.id(), each -> each, Optional.empty()));
    }

    @Test
    void create_aboveTheLimit_orWithoutItsStream_isRefused() {
        for (int i = 0; i < Restream.MAX_PER_STREAM; i++) {
            created("key");
        }
        Restream more = Restream.create(stream.id(), "", "rtmp://a.test/x", true, Samples.NOW);
        StreamDefinition other = Samples.stream();

        assertEquals(StreamRepository.Addition.FULL, restreams.create(more, "key"));
        assertEquals(
                StreamRepository.Addition.STREAM_NOT_FOUND,
                restreams.create(
                        Restream.create(other.id(), "", "rtmp://a.test/x", true, Samples.NOW),
                        "key"));
    }

    @Test
    void resealing_leavesFreshKeysAlone() {
        created("key-one");

        assertEquals(0, restreams.resealStale());
    }
}
