package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.ffmpeg.MediaTool;

/**
 * Live renditions by a real server: 720p by ffmpeg in both latency modes, as fast as the server
 * takes it, so that no load drops a rendition; and at the speed of a camera under a scoreboard
 * stream, where the limit of the host leaves one out.
 */
class RenditionsIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String STREAMS = "/live/v1/live-streams/";

    /** Made once; a key frame each second, B-frames. */
    private static final List<String> VIDEO =
            List.of(
                    ("-f lavfi -i testsrc2=size=1280x720:rate=10 -f lavfi -i"
                                    + " sine=frequency=440:sample_rate=48000 -t 14 -c:v libx264"
                                    + " -preset ultrafast -bf 2 -g 10 -sc_threshold 0 -pix_fmt"
                                    + " yuv420p -b:v 1500k -c:a aac -b:a 96k")
                            .split(" ", -1));

    /** The machine may be busy with other tests. */
    private static final Map<String, String> CHEAP = Map.of("TOUCHLINE_ENCODER_SPEED", "ultrafast");

    @TempDir private Path folder;

    /** A stream that is being pushed. */
    private record Live(TestServer server, String id, URI multivariant) {
        JsonNode renditions() {
            try {
                return server.call("GET", STREAMS + id + "/sessions", "", 200)
                        .at("/data/0/renditions");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        String text() {
            return server.get(multivariant).body();
        }

        /** Addresses of the media playlists, the source's first. */
        List<URI> playlists() {
            String text = text();
            if (!text.startsWith("#EXTM3U")) {
                return List.of();
            }
            return text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(multivariant::resolve)
                    .toList();
        }
    }

    @Test
    void auto_inBothModes_hasTheSameSegmentsInEachRendition() throws Exception {
        try (TestServer server = TestServer.start(folder, CHEAP)) {
            Path media = EncodedInputs.get("flv", VIDEO);
            Live standard = create(server, "{\"renditions\": \"auto\"}");
            Live low = create(server, "{\"renditions\": \"auto\", \"latency_mode\": \"low\"}");
            // As a live encoder does: renditions begin with a segment that is still to come.
            try (Encoder one = push(standard, media, "-re -stream_loop -1");
                    Encoder two = push(low, media, "-re -stream_loop -1")) {
                for (Live each : List.of(standard, low)) {
                    TestServer.await("renditions", SOON, () -> each.playlists().size() == 3);
                    assertLadder(each);
                }
                assertTrue(
                        low.server()
                                .get(low.playlists().getLast())
                                .body()
                                .contains("#EXT-X-RENDITION-REPORT"));
                assertTrue(one.isRunning(), one::output);
                assertTrue(two.isRunning(), two::output);
                for (Live each : List.of(standard, low)) {
                    assertSameSegments(each, end(each));
                }
                assertEquals(0, standard.renditions().size());
            }
        }
    }

    @Test
    void limit_leavesTheLargestOut_andScoreboardIsInTheOther() throws Exception {
        Map<String, String> environment = new TreeMap<>(CHEAP);
        environment.put("TOUCHLINE_ENCODER_MAX_RENDITIONS", "1");
        try (TestServer server = TestServer.start(folder, environment)) {
            Live live =
                    create(
                            server,
                            """
                            {"renditions": [{"height": 360}, {"height": 480}, {"height": 720}],
                             "generate_watermark": {"type": "stream",
                              "audio_mix_settings":
                               {"mode": "main", "volume_main": 1, "volume_secondary": 0},
                              "overlay_settings": {"width": "100%", "height": "100%"}}}
                            """);
            JsonNode created = server.stream(live.id());
            String overlay = created.at("/generate_watermark/stream_key").asText();
            Path media = EncodedInputs.get("flv", VIDEO);
            String push =
                    "ffmpeg -v info -re -f lavfi -i color=c=red:size=320x180:rate=15 -c:v libx264"
                            + " -preset ultrafast -g 15 -f flv "
                            + server.push(overlay);
            try (Encoder one = push(live, media, "-re -stream_loop -1")) {
                TestServer.await("one rendition", SOON, () -> live.playlists().size() == 2);

                assertEquals("dropped", live.renditions().at("/0/state").asText());
                assertEquals(480, live.renditions().at("/0/height").asInt());
                assertEquals("running", live.renditions().at("/1/state").asText());
                URI dropped =
                        URI.create(live.playlists().getLast().toString().replace("360p", "480p"));
                assertNotEquals(live.playlists().getLast(), dropped);
                assertEquals(404, server.get(dropped).statusCode());
                assertWarnings(live);
                try (Encoder red = Encoder.letIn(SOON, () -> Encoder.run(push.split(" ", -1)))) {
                    TestServer.await("red", SOON, () -> red.isRunning() && isRed(live));
                }
                assertTrue(
                        server.metrics().value("touchline_renditions_frames_total{height=\"360\"}")
                                > 0);
                assertTrue(one.isRunning());
            }
        }
    }

    private static void assertWarnings(Live live) throws Exception {
        List<String> codes = new ArrayList<>();
        live.server()
                .call("GET", STREAMS + live.id() + "/sessions", "", 200)
                .at("/data/0/warnings")
                .forEach(each -> codes.add(each.path("code").asText()));
        assertTrue(codes.contains("rendition_dropped"), codes::toString);
        assertTrue(codes.contains("rendition_left_out"), codes::toString);
    }

    private static void assertLadder(Live live) {
        String text = live.text();
        assertTrue(text.contains("RESOLUTION=1280x720"), text);
        assertTrue(text.contains("RESOLUTION=854x480"), text);
        assertTrue(text.contains("RESOLUTION=640x360"), text);
        assertTrue(text.indexOf("1280x720") < text.indexOf("854x480"), text);
        assertTrue(text.indexOf("854x480") < text.indexOf("640x360"), text);
        JsonNode renditions = live.renditions();
        assertEquals(2, renditions.size(), renditions::toString);
        for (JsonNode each : renditions) {
            assertEquals("running", each.path("state").asText());
            assertTrue(each.path("codecs").asText().startsWith("avc1."), each::toString);
        }
        assertEquals(854, renditions.at("/0/width").asInt());
        assertEquals(900_000, renditions.at("/1/video_bitrate").asInt());
    }

    /** Lets some segments pass, then completes the session: its playlists no longer change. */
    private List<URI> end(Live live) throws Exception {
        List<URI> playlists = live.playlists();
        TestServer.await(
                "segments",
                SOON,
                () ->
                        playlists.stream()
                                .allMatch(each -> segments(live.server(), each).size() >= 3));
        live.server().call("PUT", STREAMS + live.id() + "/complete", "", 200);
        return playlists;
    }

    private void assertSameSegments(Live live, List<URI> playlists) throws Exception {
        TestServer.await(
                "the end of all",
                SOON,
                () ->
                        playlists.stream()
                                .allMatch(
                                        each ->
                                                live.server()
                                                        .get(each)
                                                        .body()
                                                        .contains("#EXT-X-ENDLIST")));
        List<List<Segment>> all = new ArrayList<>();
        for (URI each : playlists) {
            all.add(segments(live.server(), each));
        }
        // On a busy machine one rendition begins a segment later than another.
        int from = all.stream().mapToInt(each -> each.getFirst().number()).max().orElseThrow();
        List<Segment> source = from(all.getFirst(), from);
        assertTrue(source.size() >= 3, source::toString);
        for (int i = 1; i < all.size(); i++) {
            List<Segment> rendition = from(all.get(i), from);
            assertEquals(
                    source.stream().map(each -> each.number() + " " + each.duration()).toList(),
                    rendition.stream().map(each -> each.number() + " " + each.duration()).toList());
            assertDecodes(live.server(), playlists.get(i), rendition, source);
        }
    }

    private static List<Segment> from(List<Segment> all, int number) {
        return all.stream().filter(each -> each.number() >= number).toList();
    }

    /** Each segment has as many frames as the source's, a key frame first, and no error. */
    private void assertDecodes(
            TestServer server, URI playlist, List<Segment> rendition, List<Segment> source)
            throws Exception {
        URI sourcePlaylist = playlist.resolve("../media.m3u8");
        // The first and the last: each takes five processes.
        for (int i = 0; i < rendition.size(); i += rendition.size() - 1) {
            Path file = file(server, playlist, rendition.get(i));
            List<String> flags = MediaTool.probe(file, "v", "packet=flags");
            assertTrue(flags.getFirst().startsWith("K"), flags::toString);
            Path same = file(server, sourcePlaylist, source.get(i));
            assertEquals(
                    MediaTool.probe(same, "v", "packet=pts_time").stream().sorted().toList(),
                    MediaTool.probe(file, "v", "packet=pts_time").stream().sorted().toList());
            assertEquals(
                    MediaTool.probe(same, "a", "packet=pts,duration,size"),
                    MediaTool.probe(file, "a", "packet=pts,duration,size"));
            assertEquals("", ffmpeg("-v warning -i " + file + " -f null -"));
        }
    }

    /** Its output, of a run without failure. */
    private static String ffmpeg(String arguments) throws Exception {
        try (Encoder run = Encoder.run(("ffmpeg " + arguments).split(" ", -1))) {
            assertEquals(0, run.await(SOON), run::output);
            return run.output();
        }
    }

    private Path file(TestServer server, URI playlist, Segment segment) throws Exception {
        Path file = Files.createTempFile(folder, "segment", ".mp4");
        try (var out = Files.newOutputStream(file)) {
            out.write(server.bytes(playlist.resolve(segment.init())).body());
            HttpResponse<byte[]> media = server.bytes(playlist.resolve(segment.uri()));
            assertEquals(200, media.statusCode());
            out.write(media.body());
        }
        return file;
    }

    /**
     * @param number in its address
     */
    private record Segment(int number, String uri, String init, String duration) {}

    private static final Pattern MAP = Pattern.compile("#EXT-X-MAP:URI=\"([^\"]+)\"");
    private static final Pattern NUMBER = Pattern.compile("s(\\d+)\\.m4s");

    private static List<Segment> segments(TestServer server, URI playlist) {
        List<Segment> segments = new ArrayList<>();
        String init = "";
        String duration = "";
        for (String line : server.get(playlist).body().lines().toList()) {
            Matcher map = MAP.matcher(line);
            Matcher number = NUMBER.matcher(line);
            if (map.find()) {
                init = map.group(1);
            } else if (line.startsWith("#EXTINF:")) {
                duration = line;
            } else if (!line.startsWith("#") && number.find()) {
                segments.add(new Segment(Integer.parseInt(number.group(1)), line, init, duration));
            }
        }
        return segments;
    }

    /** The newest segment of the rendition shows the scoreboard. */
    private boolean isRed(Live live) {
        try {
            URI playlist = live.playlists().getLast();
            List<Segment> all = segments(live.server(), playlist);
            if (all.isEmpty()) {
                return false;
            }
            Path file = file(live.server(), playlist, all.getLast());
            String means =
                    ffmpeg(
                            "-v error -i "
                                    + file
                                    + " -frames:v 1 -vf signalstats,metadata=print:file=- -f null"
                                    + " -");
            Matcher red = Pattern.compile("VAVG=([0-9.]+)").matcher(means);
            return red.find() && Double.parseDouble(red.group(1)) > 200;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Live create(TestServer server, String body) throws Exception {
        JsonNode stream = server.createStream(body);
        String playback = stream.at("/playback_ids/0/id").asText();
        return new Live(server, stream.path("id").asText(), server.playback(playback + ".m3u8"));
    }

    private static Encoder push(Live live, Path media, String speed) throws IOException, Exception {
        String key = live.server().stream(live.id()).path("stream_key").asText();
        assertFalse(key.isEmpty());
        return Encoder.run(
                ("ffmpeg -v error "
                                + speed
                                + " -i "
                                + media
                                + " -c copy -f flv "
                                + live.server().push(key))
                        .split(" +"));
    }
}
