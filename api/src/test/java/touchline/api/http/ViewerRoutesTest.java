package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.db.DatabaseException;
import touchline.api.db.ViewerRepository;
import touchline.api.domain.Scope;
import touchline.media.StreamId;
import touchline.packager.audience.CmcdReader;
import touchline.packager.audience.StreamViewers;
import touchline.packager.audience.ViewerMinute;

final class ViewerRoutesTest {
    private static final String STREAMS = "/live/v1/live-streams/";
    private static final String ALL = "/live/v1/viewers";

    private ApiFixture api;
    private StreamId stream;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        stream = new StreamId(api.create("{}").get("id").textValue());
    }

    @AfterEach
    void close() {
        api.close();
    }

    private String path() {
        return STREAMS + stream + "/viewers";
    }

    /** So many players ask for media of the stream. */
    private void watch(StreamId watched, int players) {
        StreamViewers counted = api.audience.open(watched);
        CmcdReader report = new CmcdReader();
        for (int i = 0; i < players; i++) {
            report.clear();
            report.readHeader("sid=\"player " + i + "\",ot=av,br=2500");
            counted.bySid(counted.keyOf(report), InetAddress.getLoopbackAddress()).reported(report);
        }
        api.audience.tick();
    }

    private void store(int minutesAgo, int viewers, Optional<StreamId> of) {
        new ViewerRepository(api.database)
                .add(
                        List.of(
                                new ViewerMinute(
                                        of,
                                        api.now.minus(Duration.ofMinutes(minutesAgo)),
                                        viewers,
                                        60_000,
                                        1_500,
                                        OptionalInt.of(640),
                                        OptionalInt.of(4_000))));
    }

    private static JsonNode point(JsonNode viewers, Instant at) {
        for (JsonNode each : viewers.get("points")) {
            if (each.get("at").longValue() == at.getEpochSecond()) {
                return each;
            }
        }
        throw new AssertionError(at + " of " + viewers);
    }

    @Test
    void viewers_ofAStream_areStoredMinutesAndTheOneThatRuns() {
        store(5, 40, Optional.of(stream));
        store(4, 12, Optional.of(stream));
        store(90, 500, Optional.of(stream));
        watch(stream, 3);
        api.now = api.now.plusSeconds(20);

        JsonNode viewers = api.get(path()).data();

        assertEquals(3, viewers.get("now").intValue());
        assertEquals(40, viewers.get("peak").intValue(), "of the last hour");
        assertEquals(60, viewers.get("step").intValue());
        assertEquals(61, viewers.get("points").size());
        JsonNode past = point(viewers, ApiFixture.START.minusSeconds(300));
        assertEquals(40, past.get("viewers").intValue());
        assertEquals(0.025, past.get("rebuffering_ratio").doubleValue());
        assertEquals(640, past.get("startup_ms_p50").intValue());
        assertEquals(4_000_000, past.get("bitrate_p50").intValue());
        JsonNode silent = point(viewers, ApiFixture.START.minusSeconds(60));
        assertEquals(0, silent.get("viewers").intValue());
        assertTrue(silent.get("rebuffering_ratio").isNull());
        assertTrue(silent.get("startup_ms_p50").isNull());
        assertTrue(silent.get("bitrate_p50").isNull());
        JsonNode running = point(viewers, ApiFixture.START);
        assertEquals(3, running.get("viewers").intValue());
        assertEquals(2_500_000, running.get("bitrate_p50").intValue());
        assertTrue(running.get("rebuffering_ratio").isNull());
    }

    @Test
    void viewers_ofAMinuteThatIsOver_areThereBeforeAndAfterTheyAreStored() {
        watch(stream, 3);
        api.now = api.now.plusSeconds(60);
        api.audience.tick();
        assertEquals(3, point(api.get(path()).data(), ApiFixture.START).get("viewers").intValue());
        assertEquals(0, new ViewerRepository(api.database).deleteBefore(api.now, 10), "not yet");

        api.viewers.store();
        assertEquals(3, point(api.get(path()).data(), ApiFixture.START).get("viewers").intValue());
        assertEquals(0, api.get(path()).data().get("now").intValue());
        api.viewers.store();
        assertEquals(2, new ViewerRepository(api.database).deleteBefore(api.now, 10));
    }

    @Test
    void store_whichFails_isDoneAgain() throws SQLException {
        watch(stream, 3);
        api.now = api.now.plusSeconds(60);
        api.audience.tick();
        try (Connection connection = api.database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE viewer_minutes RENAME TO away");
            assertThrows(DatabaseException.class, api.viewers::store);
            statement.execute("ALTER TABLE away RENAME TO viewer_minutes");
        }
        api.viewers.store();
        assertEquals(3, point(api.get(path()).data(), ApiFixture.START).get("viewers").intValue());
    }

    @Test
    void trim_deletesWhatIsTooOld_andWhatHasNoStream() {
        store(400 * 1_440 + 1, 1, Optional.of(stream));
        store(400 * 1_440, 1, Optional.of(stream));
        store(1, 1, Optional.of(new StreamId("str_deleted")));

        assertEquals(2, api.viewers.trim());
        assertEquals(0, api.viewers.trim());
    }

    @Test
    void viewers_ofAllStreams_haveTheWatchedOnes() {
        StreamId other = new StreamId(api.create("{}").get("id").textValue());
        watch(stream, 1);
        watch(other, 4);
        api.audience.open(new StreamId("str_unwatched"));
        store(3, 90, Optional.empty());

        JsonNode viewers = api.get(ALL).data();

        assertEquals(5, viewers.get("now").intValue());
        assertEquals(90, viewers.get("peak").intValue());
        assertEquals(2, viewers.get("streams").size());
        assertEquals(other.value(), viewers.at("/streams/0/live_stream_id").textValue());
        assertEquals(4, viewers.at("/streams/0/viewers").intValue());
        assertEquals(1, viewers.at("/streams/1/viewers").intValue());
    }

    @Test
    void steps_areThoseAskedFor_orFewPoints() {
        store(7, 11, Optional.of(stream));
        long now = api.now.getEpochSecond();

        JsonNode asked =
                api.get(path() + "?from=" + (now - 900) + "&to=" + (now - 300) + "&step=300")
                        .data();
        assertEquals(2, asked.get("points").size());
        assertEquals(now - 900, asked.at("/points/0/at").longValue());
        assertEquals(11, asked.at("/points/1/viewers").intValue());

        JsonNode day = api.get(path() + "?from=" + (now - 86_400)).data();
        assertEquals(300, day.get("step").intValue());
        assertEquals(288, day.get("points").size());
        JsonNode all = api.get(path() + "?from=" + (now - 400 * 86_400L)).data();
        assertEquals(86_400, all.get("step").intValue());
        assertEquals(11, all.get("peak").intValue());
        JsonNode later = api.get(path() + "?to=" + (now + 999_999)).data();
        assertEquals(60, later.get("points").size(), "up to now");
    }

    @ParameterizedTest
    @CsvSource({
        "from=yesterday, from",
        "from=-1, from",
        "from=4000000000, from",
        "to=1.5, to",
        "from=0, from",
        "step=59, step",
        "step=90, step",
        "step=604860, step",
        "step=ten, step",
        "from=1700000000&step=60, step",
        "from=2&to=1, from"
    })
    void badParameters_areNamed(String query, String field) {
        for (String path : List.of(path(), ALL)) {
            TestReply reply = api.get(path + "?" + query);
            assertEquals(40002, reply.code(), reply.text());
            assertEquals(List.of(field), reply.badFields());
        }
        assertEquals(
                List.of("from", "to", "step"), api.get(path() + "?step=7&from=x&to=y").badFields());
    }

    @Test
    void unknownStreams_andMissingScopes_areRefused() {
        assertEquals(40401, api.get(STREAMS + "str_none/viewers").code());
        Map<String, String> other = Map.of("Authorization", api.bearer(Scope.ASSETS_READ));
        assertEquals(40301, api.call("GET", path(), null, other).code());
        assertEquals(40301, api.call("GET", ALL, null, other).code());
        Map<String, String> reader = Map.of("Authorization", api.bearer(Scope.LIVE_READ));
        assertEquals(0, api.call("GET", ALL, null, reader).code());
    }

    @Test
    void record_ofAnActiveStream_hasItsViewers() {
        watch(stream, 2);
        assertFalse(api.get(STREAMS + stream).data().has("viewers"), "idle");

        api.live.start(stream);
        assertEquals(2, api.get(STREAMS + stream).data().get("viewers").intValue());
        assertEquals(2, api.get("/live/v1/live-streams").data().get(0).get("viewers").intValue());
    }
}
