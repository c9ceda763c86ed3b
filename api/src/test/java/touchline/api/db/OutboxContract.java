package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.api.domain.DueDelivery;
import touchline.api.domain.Event;
import touchline.api.domain.EventFilter;
import touchline.api.domain.EventType;
import touchline.api.domain.PageRequest;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.view.AssetView;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Contract of {@link Outbox} on any database. */
abstract class OutboxContract {
    private static final StreamId STREAM = new StreamId("str_1");
    private static final StreamId OTHER = new StreamId("str_2");

    private Outbox outbox;
    private EventRepository events;
    private DeliveryRepository deliveries;

    abstract Database database();

    @BeforeEach
    void empty() {
        for (String table :
                List.of(
                        "deliveries",
                        "events",
                        "webhook_endpoints",
                        "assets",
                        "deleted_assets",
                        "live_streams")) {
            database().with(handle -> handle.execute("DELETE FROM " + table));
        }
        database().with(h -> h.execute("DELETE FROM event_streams WHERE stream_id <> ''"));
        outbox = database().outbox();
        events = new EventRepository(database());
        deliveries = new DeliveryRepository(database());
    }

    private static ObjectNode resource() {
        return JsonNodeFactory.instance.objectNode().put("id", "x\u00e4\ud83c\udfc6\n\"");
    }

    private Event append(StreamId stream) {
        return database()
                .transaction(
                        () ->
                                outbox.append(
                                        NewEvent.of(
                                                EventType.LIVE_STREAM_UPDATED,
                                                stream,
                                                resource())));
    }

    private String endpoint(String type, Optional<List<String>> streams) {
        WebhookEndpoint endpoint =
                new WebhookEndpoint(
                        WebhookEndpoint.newId(),
                        "https://a.test/",
                        "",
                        new EventFilter(List.of(type), streams),
                        Optional.empty(),
                        Optional.empty(),
                        Samples.NOW);
        new WebhookRepository(database(), WebhookRepositoryContract.VAULT)
                .create(endpoint, "whsec_", 100);
        return endpoint.id();
    }

    private List<String> waiting(String endpoint, StreamId stream) {
        return deliveries.waiting(endpoint, stream.value(), 1_000).stream()
                .map(due -> due.event().id())
                .toList();
    }

    @Test
    void append_outsideOfATransaction_isRefused() {
        assertThrows(
                IllegalStateException.class,
                () -> outbox.append(NewEvent.of(EventType.LIVE_STREAM_IDLE, STREAM, resource())));
    }

    @Test
    void event_asItIsStored_isTheBodyThatReceiversGet() throws Exception {
        Event event = append(STREAM);

        JsonNode body = new ObjectMapper().readTree(event.body());
        assertEquals("live_stream.updated", body.get("type").textValue());
        assertEquals(event.id(), body.get("id").textValue());
        assertTrue(
                body.get("created_at")
                        .textValue()
                        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"));
        assertEquals(1, body.at("/data/seq").longValue());
        assertEquals("str_1", body.at("/data/live_stream_id").textValue());
        assertEquals(resource(), body.at("/data/live_stream"));
        assertEquals(Optional.of(event), events.find(event.id()));
    }

    @Test
    void auditCheck_keepsItsDataAndGetsANumber() throws Exception {
        ObjectNode data = JsonNodeFactory.instance.objectNode().put("frame_url", "https://a/");
        Event event =
                database().transaction(() -> outbox.append(NewEvent.auditCheck(STREAM, data)));

        assertEquals(
                data.deepCopy().put("seq", 1),
                new ObjectMapper().readTree(event.body()).get("data"));
    }

    @Test
    void numbers_ofEachStream_riseByOne() {
        assertEquals(1, append(STREAM).seq());
        assertEquals(1, append(OTHER).seq());
        assertEquals(2, append(STREAM).seq());
        Event none =
                database()
                        .transaction(
                                () ->
                                        outbox.append(
                                                NewEvent.of(
                                                        EventType.STORAGE_LOW_SPACE, resource())));
        assertEquals(Optional.empty(), none.stream());
        assertTrue(none.seq() >= 1);
    }

    @Test
    void change_thatIsRolledBack_leavesNeitherEventNorGap() {
        String endpoint = endpoint("*", Optional.empty());
        List<Event> received = new ArrayList<>();
        Outbox.Listener listener = (event, _) -> received.add(event);
        outbox.listen(listener);
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        database()
                                .transact(
                                        () -> {
                                            append(STREAM);
                                            throw new IllegalArgumentException("no");
                                        }));
        Event kept = append(STREAM);
        outbox.remove(listener);

        assertEquals(1, kept.seq());
        assertEquals(List.of(kept), received);
        assertEquals(List.of(kept.id()), waiting(endpoint, STREAM));
    }

    @Test
    void listener_isCalledAfterTheCommit_withTheEndpoints() {
        String all = endpoint("*", Optional.empty());
        String ours = endpoint("live_stream.updated", Optional.of(List.of("str_1")));
        endpoint("asset.ready", Optional.empty());
        endpoint("*", Optional.of(List.of("str_2")));
        List<List<String>> received = new ArrayList<>();
        List<Boolean> inside = new ArrayList<>();
        Outbox.Listener listener =
                (_, endpoints) -> {
                    received.add(endpoints);
                    inside.add(database().insideTransaction());
                };
        outbox.listen(listener);
        append(STREAM);
        outbox.remove(listener);

        assertEquals(List.of(List.of(all, ours)), received);
        assertEquals(List.of(false), inside);
    }

    @Test
    void manyAtOnce_inOneStream_areNumberedAndStoredInOneOrder() throws Exception {
        String endpoint = endpoint("*", Optional.empty());
        append(STREAM);
        ConcurrentLinkedQueue<Long> seen = new ConcurrentLinkedQueue<>();
        List<Callable<Boolean>> writers =
                IntStream.range(0, 8)
                        .<Callable<Boolean>>mapToObj(
                                _ ->
                                        () -> {
                                            for (int i = 0; i < 25; i++) {
                                                seen.add(append(STREAM).seq());
                                            }
                                            return true;
                                        })
                        .toList();
        Together.run(writers);

        assertEquals(
                LongStream.rangeClosed(2, 201).boxed().toList(), seen.stream().sorted().toList());
        List<Long> stored =
                deliveries.waiting(endpoint, "str_1", 1_000).stream()
                        .map(due -> due.event().seq())
                        .toList();
        assertEquals(LongStream.rangeClosed(1, 201).boxed().toList(), stored);
    }

    @Test
    void assets_sendEvents() {
        AssetRepository assets = new AssetRepository(database(), AssetView::of);
        StreamDefinition stream = Samples.stream();
        Asset asset = Asset.recording(stream, new SessionId("ses_1"), Samples.NOW);
        assets.create(asset);
        AssetState live =
                new AssetState(
                        AssetStatus.READY,
                        true,
                        1,
                        1,
                        OptionalDouble.empty(),
                        List.of(),
                        Optional.empty());
        assets.update(asset.id(), live);
        assets.update(asset.id(), live);
        assets.update(asset.id(), AssetState.finished(2, 2, List.of(), Samples.NOW));
        assets.delete(asset.id());
        Asset failed = Asset.recording(stream, new SessionId("ses_2"), Samples.NOW);
        assets.create(failed);
        assets.update(failed.id(), AssetState.failed(List.of(), Samples.NOW));

        EventRepository.Choice ours =
                new EventRepository.Choice(Optional.empty(), Optional.of(stream.id()));
        assertEquals(
                List.of(
                        EventType.ASSET_ERRORED,
                        EventType.ASSET_CREATED,
                        EventType.ASSET_DELETED,
                        EventType.ASSET_READY,
                        EventType.ASSET_READY,
                        EventType.ASSET_CREATED),
                events.list(ours, PageRequest.FIRST).items().stream().map(Event::type).toList());
        assertEquals(
                2,
                events.list(
                                new EventRepository.Choice(
                                        Optional.of(EventType.ASSET_READY), Optional.empty()),
                                PageRequest.FIRST)
                        .total());
    }

    @Test
    void eventForOneEndpoint_isItsAlone() {
        String one = endpoint("asset.ready", Optional.empty());
        String other = endpoint("*", Optional.empty());
        Event test =
                database()
                        .transaction(
                                () ->
                                        outbox.appendFor(
                                                one,
                                                NewEvent.of(EventType.WEBHOOK_TEST, resource())));

        List<DueDelivery> due = deliveries.waiting(one, "", 10);
        assertEquals(List.of(test), due.stream().map(DueDelivery::event).toList());
        assertEquals(List.of(), deliveries.waiting(other, "", 10));
        assertEquals(List.of(""), deliveries.waitingStreams(one));
    }
}
