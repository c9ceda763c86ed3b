package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.api.db.EventRepository;
import touchline.api.db.NewEvent;
import touchline.api.db.StreamFilter;
import touchline.api.domain.ActiveSession;
import touchline.api.domain.Event;
import touchline.api.domain.EventType;
import touchline.api.domain.PageRequest;
import touchline.api.domain.StreamDefinition;
import touchline.api.events.StreamEvents;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.IngestReport;

/** Every event as it is recorded, against the schema that is served for it. */
final class EventSchemasTest {
    private final EventSchemaCheck schemas = EventSchemaCheck.SHARED;
    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private List<Event> recorded() {
        return new EventRepository(api.database)
                .list(EventRepository.Choice.ALL, new PageRequest(1, 100))
                .items()
                .reversed();
    }

    private List<EventType> types() {
        return recorded().stream().map(Event::type).toList();
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void schema_ofEachType_isServedToEverybody(EventType type) {
        TestReply reply =
                api.call("GET", "/schemas/events/" + type.wireName() + ".json", null, Map.of());

        assertEquals(200, reply.status());
        assertEquals(type.wireName(), reply.json().at("/properties/type/const").textValue());
        assertEquals(404, api.get("/schemas/events/" + type.wireName()).status());
    }

    @Test
    void changesOfAStream_areSentWithoutKeys() {
        String streams = "/live/v1/live-streams";
        JsonNode made =
                api.create(
                        """
                        {"title": "cup", "policy": ["signed", "public"],
                         "audit_settings": {"frame_interval": 2, "models": {"nude": 0.5}},
                         "generate_watermark": {"type": "stream", "audio_mix_settings":
                           {"mode": "main", "volume_main": 1, "volume_secondary": 0}}}
                        """);
        String one = streams + "/" + made.get("id").textValue();
        api.patch(one, "{\"title\": \"final\"}");
        api.patch(one, "{\"title\": \"final\"}");
        api.put(one + "/disable", null);
        api.put(one + "/disable", null);
        api.put(one + "/enable", null);
        api.post(one + "/reset-stream-key", null);
        String id =
                api.post(one + "/playback-ids", "{\"policy\": \"public\"}")
                        .data()
                        .get("id")
                        .textValue();
        api.delete(one + "/playback-ids/" + id);
        api.put(one + "/audit-settings", "{\"frame_interval\": 3, \"models\": {\"weapon\": 1}}");
        api.delete(one + "/audit-settings");
        api.delete(one + "/audit-settings");
        api.put(one + "/generated-watermark", "{\"type\": \"html\", \"url\": \"https://a.test/\"}");
        api.delete(one + "/generated-watermark");
        api.delete(one);
        api.delete(one);

        assertEquals(
                List.of(
                        EventType.LIVE_STREAM_CREATED,
                        EventType.LIVE_STREAM_UPDATED,
                        EventType.LIVE_STREAM_DISABLED,
                        EventType.LIVE_STREAM_ENABLED,
                        EventType.LIVE_STREAM_UPDATED,
                        EventType.LIVE_STREAM_UPDATED,
                        EventType.LIVE_STREAM_UPDATED,
                        EventType.LIVE_STREAM_UPDATED,
                        EventType.LIVE_STREAM_UPDATED,
                        EventType.LIVE_STREAM_UPDATED,
                        EventType.LIVE_STREAM_UPDATED,
                        EventType.LIVE_STREAM_DELETED),
                types());
        long seq = 0;
        for (Event event : recorded()) {
            schemas.check(event.body());
            assertEquals(++seq, event.seq());
            assertTrue(!event.body().contains("\"stream_key\""), event::body);
            assertTrue(!event.body().contains(made.get("stream_key").textValue()));
        }
    }

    @Test
    void refusedChange_isNotSent() {
        JsonNode made = api.create("{}");
        String one = "/live/v1/live-streams/" + made.get("id").textValue();

        api.patch(one, "{\"reconnect_window\": -1}");
        api.delete(one + "/playback-ids/nothing");
        api.put(one + "/audit-settings", "{\"frame_interval\": 0}");

        assertEquals(List.of(EventType.LIVE_STREAM_CREATED), types());
    }

    @Test
    void creation_repeatedWithItsKey_isSentOnce() {
        Map<String, String> headers =
                Map.of("Authorization", ApiFixture.ADMIN, "Idempotency-Key", "one");
        api.call("POST", "/live/v1/live-streams", "{}", headers);
        api.call("POST", "/live/v1/live-streams", "{}", headers);

        assertEquals(List.of(EventType.LIVE_STREAM_CREATED), types());
    }

    @Test
    void eventsOfSessionsOverlaysAndWebhooks_fitTheirSchemas() throws Exception {
        api.create(
                """
                {"generate_watermark": {"type": "html", "url": "https://a.test/"}}
                """);
        StreamDefinition stream =
                api.streams.list(new StreamFilter.All(), PageRequest.FIRST).items().getFirst();
        SessionId session = new SessionId("ses_1");
        StreamEvents events = api.dependencies.events().streams();
        api.database.transact(
                () -> {
                    for (EventType type :
                            List.of(
                                    EventType.LIVE_STREAM_CONNECTED,
                                    EventType.LIVE_STREAM_ACTIVE,
                                    EventType.LIVE_STREAM_DISCONNECTED,
                                    EventType.LIVE_STREAM_IDLE)) {
                        events.record(type, stream, Optional.of(ActiveSession.connected(session)));
                    }
                    events.warning(
                            stream,
                            session,
                            new IngestReport.Warning("b_frames", "turn them off", Instant.EPOCH));
                    IngestReport.Warning silent =
                            new IngestReport.Warning("audio_silent", "check it", Instant.EPOCH);
                    events.fault(stream, session, silent);
                    events.fault(stream, session, silent.ended(Instant.EPOCH.plusSeconds(9)));
                    for (EventType type :
                            List.of(
                                    EventType.OVERLAY_LOADED,
                                    EventType.OVERLAY_FAILED,
                                    EventType.OVERLAY_RECOVERED)) {
                        events.overlay(
                                type,
                                stream,
                                session,
                                stream.watermark().orElseThrow(),
                                type == EventType.OVERLAY_FAILED
                                        ? Optional.of("no answer")
                                        : Optional.empty());
                    }
                });
        api.asset();
        hooked();

        List<Event> all = recorded();
        all.forEach(event -> schemas.check(event.body()));
        assertEquals(13, all.size());
    }

    private void hooked() {
        String id =
                api.post(
                                "/system/v1/webhooks",
                                "{\"url\": \"https://a.test/\", \"events\": [\"*\"]}")
                        .data()
                        .get("id")
                        .textValue();
        api.post("/system/v1/webhooks/" + id + "/test", null);
    }

    @Test
    void auditCheck_asTheInterfaceDocumentShowsIt_fitsItsSchema() throws Exception {
        ObjectNode data =
                (ObjectNode)
                        new ObjectMapper()
                                .readTree(
                                        """
                                        {"stream_info": {"stream_id": "str_1", "title": "",
                                           "stream_session_id": "ses_1", "start_time": 1},
                                         "frame_url": "https://play.test/f?exp=1&sig=a",
                                         "alerts": [{"type": "nude", "confidence": 0.9,
                                           "description": "d", "detection_info": {"model": "nude",
                                           "confidence": 0.9, "bounding_box": [0, 0, 1, 1],
                                           "risk_level": "reject"}}]}
                                        """);
        Event event =
                api.database.transaction(
                        () ->
                                api.database
                                        .outbox()
                                        .append(NewEvent.auditCheck(new StreamId("str_1"), data)));

        schemas.check(event.body());
        String broken = event.body().replace("\"seq\":1", "\"seq\":0");
        assertThrows(AssertionError.class, () -> schemas.check(broken));
    }

    @Test
    void documents_nameEveryType() throws Exception {
        String text = Files.readString(Path.of("..", "docs", "events.md"));
        assertEquals(
                List.of(),
                Stream.of(EventType.values())
                        .map(EventType::wireName)
                        .filter(name -> !text.contains("`" + name + "`"))
                        .toList());
    }
}
