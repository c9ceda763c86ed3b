package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;

/**
 * Two ffmpeg processes push one match with numbered frames, the second one 1.5 s later and with
 * other key frames. The second one is shown, then neither, then the first one again; a restream
 * target takes all of it over one connection.
 */
@Timeout(480)
final class BackupPushIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String STREAMS = "/live/v1/live-streams/";
    private static final int MATCH_SECONDS = 60;
    private static final int FROZEN_FRAMES = 4;

    /** Notes whose order does not come again within the match. */
    private static final String MATCH =
            "aevalsrc='0.4*sin(2*PI*(300+900*abs(sin(1.313*pow(floor(t*7),2))))*t)"
                    + "*gt(sin(0.7321*pow(floor(t*7),2)),0)':s=48000";

    private static final Pattern TIME = Pattern.compile("time=00:(\\d\\d):([0-9.]+)");
    private static final Map<String, String> ENVIRONMENT =
            Map.of(
                    "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8",
                    "TOUCHLINE_ENCODER_SPEED", "ultrafast");

    @TempDir private Path folder;
    private final RestreamTarget target = new RestreamTarget(0);

    /** Both encoders' files of a match. */
    private record Match(Path one, Path two) {
        /**
         * @param video more of ffmpeg's options
         */
        static Match encode(Path folder, String video) throws Exception {
            Match match = new Match(folder.resolve("one.flv"), folder.resolve("two.flv"));
            String codec = "libx264 -preset ultrafast" + video;
            NumberedVideo.encode(match.one, MATCH_SECONDS, codec + " -bf 2 -g 60", MATCH);
            NumberedVideo.encode(match.two, MATCH_SECONDS, codec + " -bf 0 -g 45", MATCH);
            return match;
        }
    }

    /** What is done to the encoder that is shown. */
    private interface Switch {
        void make(TestServer server, String id, Encoder primary) throws Exception;
    }

    @Test
    void primaryKilled_thenBackup_everyFrameIsOnce_inTheRecordingAndAtTheTarget() throws Exception {
        try (target;
                TestServer server = TestServer.start(folder, ENVIRONMENT)) {
            String id =
                    play(server, Match.encode(folder, ""), "", (_, _, primary) -> primary.kill());
            assertEquals("encoder_lost", changes(server, id).getLast().path("reason").asText());
        }
    }

    /** The same with a scoreboard and a rendition; the operator switches in the console. */
    @Test
    void underAScoreboardWithRenditions_switchedInTheConsole_noFrameIsTwice() throws Exception {
        PaintedPages pages = new PaintedPages();
        String more =
                """
                , "renditions": [{"height": 144}], "generate_watermark": {"type": "html",
                 "url": "https://a.example/white", "overlay_settings": {"width": "20%",
                 "height": "20%", "horizontal_align": "right", "vertical_align": "bottom"}}
                """;
        try (target;
                TestServer server = TestServer.start(folder, ENVIRONMENT, () -> pages);
                TestBrowser browser = TestBrowser.start()) {
            Match match = Match.encode(folder, " -vf scale=576:256:flags=neighbor");
            String id =
                    play(
                            server,
                            match,
                            more,
                            (_, stream, primary) -> {
                                chooseBackup(server, browser, stream);
                                primary.kill();
                            });
            assertEquals("operator", changes(server, id).getLast().path("reason").asText());
            browser.assertNoPolicyReports();
        }
    }

    /** Returns the stream's id, after the end and the checks that both cases share. */
    private String play(TestServer server, Match match, String more, Switch change)
            throws Exception {
        JsonNode stream =
                server.createStream(
                        """
                        {"backup": true, "record": true, "failback_after": 0, "failover_after": 2,
                         "reconnect_window": 30, "standby": {"mode": "freeze", "after": 3}%s}
                        """
                                .formatted(more));
        String id = stream.get("id").asText();
        server.call(
                "POST",
                STREAMS + id + "/restreams",
                "{\"url\": \"%s\", \"stream_key\": \"%s\"}"
                        .formatted(target.url(), RestreamTarget.KEY),
                200);
        String key = stream.get("stream_key").asText();
        try (Encoder primary = push(server, match.one(), key)) {
            TestServer.await("active", SOON, () -> server.status(id).equals("active"));
            TestServer.await("ahead", SOON, () -> sentSeconds(primary) >= 1.5);
            try (Encoder backup =
                    push(server, match.two(), stream.get("backup_stream_key").asText())) {
                int renditions = server.stream(id).path("renditions").size();
                TestServer.await(
                        "renditions", SOON, () -> playlists(server, id).size() == 1 + renditions);
                TestServer.await("aligned", SOON, () -> isAligned(server, id));
                assertTrue(session(server, id).at("/backup/offset_ms").asLong() > 1_000);
                assertEquals("primary", session(server, id).get("source").asText());
                change.make(server, id, primary);
                TestServer.await("backup", SOON, () -> shows(server, id, "backup"));
                assertTrue(backup.isRunning(), backup::output);
                double then = sentSeconds(backup);
                TestServer.await("more", SOON, () -> sentSeconds(backup) > then + 2);
                backup.kill();
            }
        }
        TestServer.await("standby", SOON, () -> isStandby(server, id));
        try (Encoder again = push(server, match.one(), key)) {
            TestServer.await("no standby", SOON, () -> !isStandby(server, id));
            TestServer.await("more", SOON, () -> sentSeconds(again) > 2);
            assertEquals("primary", session(server, id).get("source").asText());
            assertSameDiscontinuities(server, id);
            server.call("PUT", STREAMS + id + "/complete", "", 200);
        }
        check(server, id);
        return id;
    }

    private void check(TestServer server, String id) throws Exception {
        JsonNode first = changes(server, id).getLast();
        assertEquals("backup", first.get("to").asText());
        assertTrue(first.get("aligned").asBoolean(), first::toString);
        assertTrue(Math.abs(first.get("gap_ms").asLong()) <= 34, first::toString);
        String recording = recording(server, id).toString();
        boolean composited = data(server, STREAMS + id).path("generate_watermark").isObject();
        TestServer.await("the target's end", SOON, () -> target.ended.get() > 0);
        assertEquals(1, target.connections());
        assertEquals(1, target.sessions.get());
        List<MemorySegment> packets = RecordedPackets.of(recording, "v");
        Set<Integer> standIns = standIns(packets, target.units(true));
        assertTrue(standIns.size() <= (composited ? packets.size() / 10 : 0), standIns::toString);
        List<Integer> all = NumberedVideo.numbers(recording);
        assertTrue(standIns.isEmpty() || all.size() == packets.size(), "places of numbers");
        List<Integer> numbers = without(standIns, all);
        assertTrue(numbers.size() > 300, numbers.size() + " frames");
        int last = 1;
        while (follows(composited, numbers.get(last - 1), numbers.get(last))) {
            last++;
        }
        int again = last;
        while (numbers.get(again).equals(numbers.get(last - 1))) {
            again++;
        }
        assertTrue(again - last >= FROZEN_FRAMES, numbers::toString);
        // The last one may be decoded ahead of B-frames that were not sent any more.
        assertTrue(numbers.get(again) < (composited ? 60 : 1), numbers::toString);
        for (int i = again + 1; i < numbers.size() - 1; i++) {
            assertTrue(follows(composited, numbers.get(i - 1), numbers.get(i)), numbers::toString);
        }
        assertAudio(recording);
    }

    /** A compositor on a busy machine leaves out frames, and shows none twice. */
    private static boolean follows(boolean composited, int before, int number) {
        return composited ? number > before : number == before + 1;
    }

    /**
     * Frames of the recording that the target has not got, by their places: all others are the
     * same, one for one. Where a busy machine has left out frames, the recording repeats a key
     * frame.
     */
    private static Set<Integer> standIns(List<MemorySegment> recorded, List<AccessUnit> sent) {
        Set<Integer> found = new TreeSet<>();
        int next = 0;
        for (int i = 0; i < recorded.size(); i++) {
            MemorySegment packet = recorded.get(i);
            if (next < sent.size() && RecordedPackets.isSame(packet, sent.get(next))) {
                next++;
            } else {
                assertTrue(
                        sent.subList(0, next).stream()
                                .anyMatch(
                                        frame ->
                                                frame.isKeyFrame()
                                                        && RecordedPackets.isSame(packet, frame)),
                        "frame " + i);
                found.add(i);
            }
        }
        assertEquals(sent.size(), next);
        return found;
    }

    private static List<Integer> without(Set<Integer> places, List<Integer> numbers) {
        return IntStream.range(0, numbers.size())
                .filter(place -> !places.contains(place))
                .mapToObj(numbers::get)
                .toList();
    }

    /** The audio of the programme. */
    private void assertAudio(String recording) throws Exception {
        // The recording leaves out audio before the first frame of a timeline and after its last.
        int found = 0;
        List<MemorySegment> audio = RecordedPackets.of(recording, "a");
        List<AccessUnit> units = target.units(false);
        for (AccessUnit unit : units) {
            if (found < audio.size() && RecordedPackets.isSame(audio.get(found), unit)) {
                found++;
            }
        }
        assertEquals(audio.size(), found);
        assertTrue(audio.size() > 0.95 * units.size(), audio.size() + " of " + units.size());
    }

    private static void chooseBackup(TestServer server, TestBrowser browser, String id)
            throws Exception {
        browser.signIn(server);
        browser.evaluate("location.hash = '#/streams/" + id + "'");
        String row = "[aria-label=Encoders] tr[data-source=%s]";
        browser.await(shown(row.formatted("primary"), "sends", "shown"), SOON);
        browser.await(shown(row.formatted("backup"), "sends", ""), SOON);
        String offset = browser.text("#source-offset");
        assertTrue(
                offset.matches("The backup arrives \\d\\.\\d\\d s later \\(confidence .*"), offset);
        browser.save("encoders.png");
        browser.click("[aria-label=Encoders] button[data-source=backup]");
        browser.await(shown(row.formatted("backup"), "sends", "shown"), SOON);
        browser.await(
                "document.querySelector('[aria-label=Encoders]"
                        + " button[data-source=backup][aria-pressed=true]')",
                SOON);
        assertEquals("backup", session(server, id).get("source_mode").asText());
    }

    /** That a row of the card says so. */
    private static String shown(String row, String state, String shown) {
        return "[...document.querySelectorAll('%s td')].slice(1).map(c => c.textContent).join() === '%s,%s'"
                .formatted(row, state, shown);
    }

    /** Addresses of the media playlists, the source's first. */
    private static List<URI> playlists(TestServer server, String id) {
        String playback = data(server, STREAMS + id).at("/playback_ids/0/id").asText();
        URI multivariant = server.playback(playback + ".m3u8");
        return server.get(multivariant)
                .body()
                .lines()
                .filter(line -> line.endsWith("media.m3u8"))
                .map(multivariant::resolve)
                .toList();
    }

    /** Those of renditions have the discontinuities of the source. A busy machine may drop one. */
    private static void assertSameDiscontinuities(TestServer server, String id) throws Exception {
        TestServer.await(
                "the same discontinuities",
                SOON,
                () ->
                        playlists(server, id).stream()
                                        .map(each -> inits(server.get(each).body()))
                                        .distinct()
                                        .count()
                                == 1);
    }

    private static long inits(String playlist) {
        return playlist.lines().filter(line -> line.startsWith("#EXT-X-DISCONTINUITY")).count();
    }

    /** By the progress that ffmpeg reports. */
    private static double sentSeconds(Encoder encoder) {
        double seconds = 0;
        for (Matcher time = TIME.matcher(encoder.output()); time.find(); ) {
            seconds = Integer.parseInt(time.group(1)) * 60 + Double.parseDouble(time.group(2));
        }
        return seconds;
    }

    private static Encoder push(TestServer server, Path media, String key) throws Exception {
        return Encoder.run(
                ("ffmpeg -v info -re -i " + media + " -c copy -f flv " + server.push(key))
                        .split(" "));
    }

    private static JsonNode session(TestServer server, String id) {
        return data(server, STREAMS + id + "/sessions").path(0);
    }

    private static JsonNode data(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isAligned(TestServer server, String id) {
        return session(server, id).at("/backup/confidence").asDouble() >= 0.5;
    }

    private static boolean shows(TestServer server, String id, String source) {
        return session(server, id).get("source").asText().equals(source);
    }

    private static boolean isStandby(TestServer server, String id) {
        return data(server, STREAMS + id).at("/active_standby/reason").isTextual();
    }

    /** The newest first. */
    private static List<JsonNode> changes(TestServer server, String id) {
        List<JsonNode> found = new ArrayList<>();
        data(server, "/system/v1/events?type=live_stream.source_changed&live_stream_id=" + id)
                .forEach(event -> found.add(event.get("data")));
        return found;
    }

    private static URI recording(TestServer server, String id) throws Exception {
        TestServer.await(
                "the recording",
                SOON,
                () ->
                        data(server, STREAMS + id).path("recent_asset_ids").size() == 1
                                && !asset(server, id).path("is_live").asBoolean());
        return server.playback(
                asset(server, id).at("/playback_ids/0/id").asText() + "/capped-1080p.mp4");
    }

    private static JsonNode asset(TestServer server, String id) {
        String asset = data(server, STREAMS + id).at("/recent_asset_ids/0").asText();
        return data(server, "/video-streams/v1/assets/" + asset);
    }
}
