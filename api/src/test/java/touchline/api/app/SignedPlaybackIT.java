package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import touchline.api.access.TokenForge;
import touchline.api.access.TokenTable;
import touchline.testing.LogLines;

/** Access to a live stream with a public and two signed playback ids, on the real port. */
class SignedPlaybackIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Logger ROOT =
            (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private static final Logger OURS = (Logger) LoggerFactory.getLogger("touchline");

    @TempDir private static Path folder;

    private static LogLines lines;
    private static Level levelBefore;
    private static Level oursBefore;
    private static SignedStream live;

    @BeforeAll
    static void start() throws Exception {
        levelBefore = ROOT.getLevel();
        oursBefore = OURS.getLevel();
        lines = LogLines.ofAll();
        live = SignedStream.start(folder);
        // The start sets the levels of the configuration.
        ROOT.setLevel(Level.DEBUG);
        OURS.setLevel(Level.DEBUG);
    }

    @AfterAll
    static void stop() throws Exception {
        lines.close();
        ROOT.setLevel(levelBefore);
        OURS.setLevel(oursBefore);
        live.close();
    }

    @TestFactory
    List<DynamicTest> token_ofTheTable_playsOrIs403() {
        return TokenTable.of(live.forge, live.signed, SignedStream.now()).stream()
                .map(row -> DynamicTest.dynamicTest(row.name(), () -> tryToken(row)))
                .toList();
    }

    private static void tryToken(TokenTable.Row row) throws Exception {
        String token = URLEncoder.encode(row.token(), StandardCharsets.UTF_8);
        URI address = live.withToken(live.signed, token);
        HttpResponse<String> answer = live.server.get(address);
        if (row.isGood()) {
            assertEquals(200, answer.statusCode(), answer::body);
            assertEquals(200, live.status(live.segments(address).getFirst()));
            return;
        }
        assertEquals(403, answer.statusCode(), answer::body);
        JsonNode envelope = JSON.readTree(answer.body());
        assertEquals(40302, envelope.path("code").asInt());
        assertEquals(row.why().getFirst().message(), envelope.path("message").asText());
        assertEquals(403, live.status(childOfSigned(token)), "on a child URI");
    }

    private static URI childOfSigned(String token) {
        return URI.create(
                live.newestSegment().toString().replace(live.open, live.signed)
                        + "?token="
                        + token);
    }

    @Test
    void publicAndSignedId_ofOneStream_revealNothingOfEachOther() {
        URI openList = live.server.playback(live.open + ".m3u8");
        URI signedList = live.withToken(live.signed, live.token(live.signed));
        String publicTexts =
                live.server.get(openList).body()
                        + live.server.get(live.server.mediaPlaylist(openList)).body();
        String signedTexts =
                live.server.get(signedList).body()
                        + live.server.get(live.server.mediaPlaylist(signedList)).body();

        assertFalse(publicTexts.contains("~") || publicTexts.contains(live.signed));
        assertFalse(signedTexts.contains(live.open) || signedTexts.contains(live.otherSigned));
        List<URI> revealed = new ArrayList<>(live.segments(openList));
        revealed.add(live.server.mediaPlaylist(openList));
        for (URI address : revealed) {
            URI moved = URI.create(address.toString().replace(live.open, live.signed));
            assertEquals(200, live.status(address), address::toString);
            assertEquals(403, live.status(moved), moved::toString);
        }
        for (URI address : live.segments(signedList)) {
            String grant = address.getPath().split("/", -1)[2];
            for (String id : List.of(live.otherSigned, live.open + "x")) {
                URI moved = URI.create(address.toString().replace(live.signed, id));
                assertTrue(Set.of(403, 404).contains(live.status(moved)), moved::toString);
            }
            URI bare = URI.create(address.toString().replace(grant + "/", ""));
            assertEquals(403, live.status(bare));
        }
    }

    @Test
    void mediaPlaylist_ofTwoViewers_isTheSameBytesUnderDifferentGrants() throws Exception {
        TokenForge another = live.newKey();
        URI one = live.server.mediaPlaylist(live.withToken(live.signed, live.token(live.signed)));
        String second = another.good(live.signed, SignedStream.now() + 300);
        URI two = live.server.mediaPlaylist(live.withToken(live.signed, second));
        assertNotEquals(one, two);

        for (int attempt = 0; ; attempt++) {
            HttpResponse<byte[]> first = live.server.bytes(one);
            HttpResponse<byte[]> other = live.server.bytes(two);
            String tag = first.headers().firstValue("etag").orElseThrow();
            if (tag.equals(other.headers().firstValue("etag").orElseThrow())) {
                assertArrayEquals(first.body(), other.body());
                return;
            }
            assertTrue(attempt < 100, "never twice the same version");
        }
    }

    @Test
    void answers_ofSignedIds_arePrivateAndKeepNoReferrer() throws Exception {
        URI list = live.withToken(live.signed, live.token(live.signed));
        for (URI address :
                List.of(
                        list,
                        live.server.mediaPlaylist(list),
                        live.segments(list).getLast(),
                        live.server.playback(live.signed + ".m3u8"))) {
            var headers = live.server.bytes(address).headers();
            String caching = headers.firstValue("cache-control").orElseThrow();
            assertTrue(caching.startsWith("private"), () -> address.getPath() + " " + caching);
            assertEquals("no-referrer", headers.firstValue("referrer-policy").orElse(""));
            assertEquals("*", headers.firstValue("access-control-allow-origin").orElse(""));
        }
    }

    @Test
    void keyDeleted_inMidPlayback_refusesTheNextRequestAndHeldOnes() throws Exception {
        for (int attempt = 0; attempt < 5; attempt++) {
            if (keyDeletedRefuses()) {
                return;
            }
        }
        fail("its segment always came before the key was deleted");
    }

    private static double blocked() {
        return live.server.metrics().value("touchline_playback_blocked");
    }

    /** False if the held request was answered before. */
    private static boolean keyDeletedRefuses() throws Exception {
        JsonNode key = live.newKeyReply();
        TokenForge mine = TokenForge.of(key.path("id").asText(), key.path("private_key").asText());
        URI list = live.withToken(live.signed, mine.good(live.signed, SignedStream.now() + 600));
        URI media = live.server.mediaPlaylist(list);
        URI segment = live.segments(list).getLast();
        assertEquals(200, live.status(segment));
        double blockedBefore = blocked();
        String text = live.server.get(media).body();
        long next = PublishedEdge.nextSegment(text);
        CompletableFuture<Integer> waiting =
                CompletableFuture.supplyAsync(
                        () -> live.status(URI.create(media + "?_HLS_msn=" + (next + 1))));
        TestServer.await(
                "a request waits", SOON, () -> waiting.isDone() || blocked() > blockedBefore);

        live.server.call("DELETE", SignedStream.KEYS + "/" + key.path("id").asText(), "", 200);
        if (waiting.getNow(403) != 403) {
            return false;
        }

        for (URI address : List.of(list, media, segment)) {
            assertEquals(403, live.status(address), address::toString);
        }
        assertEquals(403, waiting.join());
        return true;
    }

    @Test
    void playbackId_addedAndDeletedWhileLive_opensAndClosesAtOnce() throws Exception {
        String ids = "/live/v1/live-streams/" + live.stream.path("id").asText() + "/playback-ids";
        String added =
                live.server
                        .call("POST", ids, "{\"policy\": \"signed\"}", 200)
                        .at("/data/id")
                        .asText();
        URI list = live.withToken(added, live.token(added));
        List<URI> segments = live.segments(list);
        assertEquals(200, live.status(segments.getLast()));
        assertEquals(403, live.status(live.server.playback(added + ".m3u8")));

        live.server.call("DELETE", ids + "/" + added, "", 200);

        assertEquals(404, live.status(list));
        assertEquals(404, live.status(segments.getLast()));
    }

    @Test
    void log_afterTokensAndGrants_holdsNone() throws Exception {
        String token = live.token(live.signed);
        String grant = live.grant(live.signed, token);
        assertEquals(200, live.status(live.segments(live.withToken(live.signed, token)).getLast()));
        JsonNode key = live.newKeyReply();
        String bad = token.substring(0, token.length() - 8) + "AAAAAAAA";
        assertEquals(403, live.status(live.withToken(live.signed, bad)));

        List<String> logged = lines.texts();
        assertTrue(logged.stream().anyMatch(line -> line.contains("playback_id=" + live.signed)));
        String payload = token.split("\\.", -1)[1];
        for (String secret : List.of(payload, grant, key.path("private_key").asText(), "~")) {
            assertFalse(logged.stream().anyMatch(line -> line.contains(secret)), secret);
        }
    }
}
