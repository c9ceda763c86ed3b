package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Scope;
import touchline.api.domain.Session;
import touchline.api.signal.SignalFeed;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;
import touchline.media.signal.SignalHistory;
import touchline.media.signal.SignalSample;
import touchline.media.signal.SignalSample.Level;

final class SignalRoutesTest {
    private static final String STREAMS = "/live/v1/live-streams/";

    private ApiFixture api;
    private StreamId stream;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        stream = new StreamId(api.create("{\"signal_watch\": true}").get("id").textValue());
    }

    @AfterEach
    void close() {
        api.close();
    }

    private String path() {
        return STREAMS + stream + "/signal";
    }

    private SignalSample sample(int secondsAgo) {
        return new SignalSample(
                api.now.minusSeconds(secondsAgo),
                List.of(new Level(-3.04, -12.56), new Level(-120, -120)),
                OptionalDouble.of(-14.449),
                0.1,
                2.25,
                0);
    }

    /** Starts a session with samples of so many last seconds. */
    private LiveStream watched(int seconds) {
        LiveStream running = api.live.start(stream);
        api.store(Session.started(running.session(), stream, api.now));
        SignalHistory history = new SignalHistory();
        for (int ago = seconds - 1; ago >= 0; ago--) {
            history.add(sample(ago));
        }
        api.live.signals.histories.put(running.session(), history);
        return running;
    }

    @Test
    void signal_ofARunningSession_isItsNewestSample() {
        LiveStream running = watched(10);

        JsonNode signal = api.get(path()).data();

        assertEquals(running.session().value(), signal.get("session_id").textValue());
        assertEquals(api.now.getEpochSecond(), signal.get("at").longValue());
        assertEquals(-3.0, signal.at("/audio/0/peak_db").doubleValue());
        assertEquals(-12.6, signal.at("/audio/0/rms_db").doubleValue());
        assertEquals(-120.0, signal.at("/audio/1/peak_db").doubleValue());
        assertEquals(-14.4, signal.get("loudness_lufs").doubleValue());
        assertEquals(0.1, signal.get("silent_s").doubleValue());
        assertEquals(2.3, signal.get("black_s").doubleValue());
        assertEquals(0.0, signal.get("frozen_s").doubleValue());
        assertFalse(signal.has("history"));
        JsonNode session = api.get("/live/v1/sessions/" + running.session()).data().get("signal");
        assertEquals(signal.get("audio"), session.get("audio"));
    }

    @Test
    void signal_withHistory_hasTheSamplesOfThatTime() {
        JsonNode none = api.get(path() + "?history=5").data();
        assertEquals(0, none.get("history").size());
        LiveStream _ = watched(20);

        JsonNode history = api.get(path() + "?history=5").data().get("history");

        assertEquals(5, history.size());
        assertEquals(api.now.getEpochSecond() - 4, history.at("/0/at").longValue());
        assertEquals(api.now.getEpochSecond(), history.at("/4/at").longValue());
        assertEquals(40002, api.get(path() + "?history=3601").code());
    }

    @Test
    void signal_withoutASession_isEmpty() {
        JsonNode signal = api.get(path()).data();

        assertTrue(signal.get("session_id").isNull());
        assertTrue(signal.get("at").isNull());
        assertTrue(signal.get("loudness_lufs").isNull());
        assertEquals(0, signal.get("audio").size());
        assertEquals(0.0, signal.get("silent_s").doubleValue());
    }

    @Test
    void signal_ofAStreamThatIsNotWatched_saysHowToWatchIt() {
        String other = api.create("{}").get("id").textValue();

        TestReply reply = api.get(STREAMS + other + "/signal");

        assertEquals(40901, reply.code());
        assertTrue(reply.text().contains("signal_watch"), reply::text);
        assertEquals(40401, api.get(STREAMS + "str_none/signal").code());
        Map<String, String> headers = Map.of("Authorization", api.bearer(Scope.LIVE_WRITE));
        assertEquals(40301, api.call("GET", path(), null, headers).code());
    }

    @Test
    void patch_whileActive_isAppliedToTheSession() {
        assertEquals(40002, api.patch(STREAMS + stream, "{\"signal_watch\": \"yes\"}").code());
        assertEquals(List.of(), api.live.signals.changed);

        JsonNode changed = api.patch(STREAMS + stream, "{\"signal_watch\": false}").data();

        assertFalse(changed.get("signal_watch").booleanValue());
        assertEquals(List.of(stream), api.live.signals.changed);
        assertEquals(40901, api.get(path()).code());
        api.patch(STREAMS + stream, "{\"signal_watch\": true}");
        assertEquals(0, api.get(path()).code());
    }

    @Test
    void events_bringEachSample() throws Exception {
        LiveStream running = watched(1);
        api.live.signals.onWatch =
                () ->
                        api.live.signals.feed.sampled(
                                new SignalFeed.Taken(stream, running.session(), sample(0)));

        TestReply reply =
                api.call(
                        "GET",
                        path() + "?seconds=1",
                        null,
                        Map.of("Authorization", ApiFixture.ADMIN, "Accept", "text/event-stream"));

        assertEquals("text/event-stream", reply.header("Content-Type").orElseThrow());
        List<String> lines = reply.text().lines().toList();
        assertTrue(lines.contains("event: signal"), reply::text);
        String data =
                lines.stream().filter(it -> it.startsWith("data: ")).findFirst().orElseThrow();
        assertEquals(api.get(path()).data().toString(), data.substring("data: ".length()));
    }

    @Test
    void signals_haveTheNewestSampleOfEachWatchedStream() {
        assertEquals(0, api.get("/live/v1/signals").data().size());
        LiveStream running = watched(3);
        api.live.start(new StreamId(api.create("{}").get("id").textValue()));

        JsonNode signals = api.get("/live/v1/signals").data();

        assertEquals(1, signals.size());
        assertEquals(stream.value(), signals.at("/0/live_stream_id").textValue());
        assertEquals(running.session().value(), signals.at("/0/session_id").textValue());
        assertEquals(api.get(path()).data().get("audio"), signals.at("/0/audio"));
        assertEquals(40002, api.get("/live/v1/signals?seconds=3601").code());
        Map<String, String> headers = Map.of("Authorization", api.bearer(Scope.LIVE_WRITE));
        assertEquals(40301, api.call("GET", "/live/v1/signals", null, headers).code());
    }

    @Test
    void events_ofAllStreams_comeByOneConnection() throws Exception {
        LiveStream running = watched(1);
        StreamId other = new StreamId("str_other");
        api.live.signals.onWatch =
                () -> {
                    SignalFeed feed = api.live.signals.feed;
                    feed.sampled(new SignalFeed.Taken(stream, running.session(), sample(0)));
                    feed.sampled(
                            new SignalFeed.Taken(other, new SessionId("ses_other"), sample(0)));
                };

        TestReply reply =
                api.call(
                        "GET",
                        "/live/v1/signals?seconds=1",
                        null,
                        Map.of("Authorization", ApiFixture.ADMIN, "Accept", "text/event-stream"));

        List<String> data = reply.text().lines().filter(line -> line.startsWith("data: ")).toList();
        assertEquals(2, data.size(), reply::text);
        assertEquals(
                "data: " + api.get("/live/v1/signals").data().get(0).toString(), data.getFirst());
        assertTrue(data.getLast().contains("\"live_stream_id\":\"str_other\""), reply::text);
    }

    private ObjectNode elsewhere(String id, int secondsAgo) {
        return SignalView.of(new StreamId(id), new SessionId("ses_b"), sample(secondsAgo));
    }

    @Test
    void signals_ofOtherNodes_areBesideThoseOfThisOne() {
        LiveStream running = watched(1);
        api.nodes.signals.add(elsewhere("str_~last", 7));
        // It was there before, and is here now.
        api.nodes.signals.add(elsewhere(stream.value(), 6));

        JsonNode signals = api.get("/live/v1/signals").data();

        assertEquals(2, signals.size(), signals::toString);
        assertEquals(running.session().value(), signals.at("/0/session_id").textValue());
        assertEquals(elsewhere("str_~last", 7).toString(), signals.get(1).toString());
    }

    @Test
    void samplesOfOtherNodes_areSentOnce() {
        WatchedSignals.Unsent unsent = new WatchedSignals(api.live, api.nodes::signals).unsent();
        ObjectNode first = elsewhere("str_b", 7);
        api.nodes.signals.add(first);
        assertEquals(List.of(first), unsent.next());
        assertEquals(List.of(), unsent.next());

        ObjectNode second = elsewhere("str_b", 8);
        api.nodes.signals.set(0, second);
        assertEquals(List.of(second), unsent.next());
        api.nodes.signals.clear();
        assertEquals(List.of(), unsent.next());
    }

    @Test
    void events_ofAllStreams_haveThoseOfOtherNodes() throws Exception {
        api.nodes.signals.add(elsewhere("str_b", 7));

        TestReply reply =
                api.call(
                        "GET",
                        "/live/v1/signals?seconds=2",
                        null,
                        Map.of("Authorization", ApiFixture.ADMIN, "Accept", "text/event-stream"));

        assertEquals(
                List.of("data: " + elsewhere("str_b", 7)),
                reply.text().lines().filter(line -> line.startsWith("data: ")).toList());
    }

    @Test
    void watchers_areLimited() {
        List<SignalFeed.Watcher> many = new ArrayList<>();
        api.live.signals.feed.watch(stream).ifPresent(many::add);
        while (many.size() < 100) {
            many.add(api.live.signals.feed.watch(new StreamId("str_other")).orElseThrow());
        }
        Map<String, String> headers =
                Map.of("Authorization", ApiFixture.ADMIN, "Accept", "text/event-stream");

        assertEquals(50301, api.call("GET", path() + "?seconds=0", null, headers).code());
        many.getLast().close();
        assertEquals(200, api.call("GET", path() + "?seconds=0", null, headers).status());
    }

    @Test
    void slowWatcher_losesTheOldest() throws Exception {
        SignalFeed feed = new SignalFeed();
        SessionId session = new SessionId("ses_1");
        try (SignalFeed.Watcher watcher = feed.watch(stream).orElseThrow()) {
            for (int ago = 100; ago >= 0; ago--) {
                feed.sampled(new SignalFeed.Taken(stream, session, sample(ago)));
                feed.sampled(new SignalFeed.Taken(new StreamId("str_other"), session, sample(500)));
            }

            Instant first = watcher.next(ServerSentEvents.PATIENCE).orElseThrow().sample().at();
            assertEquals(api.now.minusSeconds(15), first);
            feed.close();
            assertTrue(watcher.ended());
        }
    }

    @Test
    void faults_areWarningsOfTheSession_withTheirEnds() {
        LiveStream running = api.live.start(stream);
        api.store(Session.started(running.session(), stream, api.now));
        IngestReport.Warning silent =
                new IngestReport.Warning("audio_silent", "check the mixer", api.now);
        running.fault(silent);
        assertFalse(faults(running).getFirst().has("ended_at"));
        running.fault(silent.ended(api.now.plusSeconds(30)));
        running.fault(new IngestReport.Warning("audio_silent", "again", api.now.plusSeconds(60)));

        List<JsonNode> all = faults(running);

        assertEquals(2, all.size());
        assertEquals(api.now.getEpochSecond() + 30, all.getFirst().get("ended_at").longValue());
        assertEquals("again", all.getLast().get("message").textValue());
        assertFalse(all.getLast().has("ended_at"));
    }

    private List<JsonNode> faults(LiveStream running) {
        List<JsonNode> faults = new ArrayList<>();
        api.get("/live/v1/sessions/" + running.session())
                .data()
                .get("warnings")
                .forEach(faults::add);
        faults.removeIf(each -> !each.get("code").textValue().startsWith("audio_silent"));
        return faults;
    }
}
