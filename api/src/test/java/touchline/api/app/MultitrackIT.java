package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.ffmpeg.MediaTool;

/** The ladder from the encoder: tracks of one push become renditions, and nothing is decoded. */
class MultitrackIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String STREAMS = "/live/v1/live-streams/";
    private static final Pattern URI_OF = Pattern.compile("URI=\"([^\"]+)\"");
    private static final Pattern SEGMENT = Pattern.compile("s(\\d+)\\.m4s");

    @TempDir private Path folder;

    private static Path video(String size, int keyFrameEvery) throws IOException {
        return EncodedInputs.get(
                "flv",
                List.of(
                        ("-f lavfi -i testsrc2=size=%s:rate=25 -t 14 -c:v libx264 -preset ultrafast"
                                        + " -bf 2 -g %d -keyint_min %d -sc_threshold 0"
                                        + " -flags +cgop -pix_fmt yuv420p -b:v 600k")
                                .formatted(size, keyFrameEvery, keyFrameEvery)
                                .split(" ", -1)));
    }

    private static Path audio(int frequency, int sampleRate) throws IOException {
        return EncodedInputs.get(
                "flv",
                List.of(
                        "-f lavfi -i sine=frequency=%d:sample_rate=%d -t 14 -c:a aac -b:a 64k"
                                .formatted(frequency, sampleRate)
                                .split(" ", -1)));
    }

    private record Live(TestServer server, String id, String key, URI multivariant) {
        static Live create(TestServer server, String body) throws Exception {
            JsonNode stream = server.createStream(body);
            String playback = stream.at("/playback_ids/0/id").asText();
            return new Live(
                    server,
                    stream.path("id").asText(),
                    stream.path("stream_key").asText(),
                    server.playback(playback + ".m3u8"));
        }

        JsonNode session() {
            try {
                return server.call("GET", STREAMS + id + "/sessions", "", 200).at("/data/0");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        String text() {
            String body = server.get(multivariant).body();
            return body.startsWith("#EXTM3U") ? body : "";
        }

        List<URI> variants() {
            return text().lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(multivariant::resolve)
                    .toList();
        }

        List<URI> audio() {
            return text().lines()
                    .filter(line -> line.startsWith("#EXT-X-MEDIA:TYPE=AUDIO"))
                    .map(URI_OF::matcher)
                    .filter(Matcher::find)
                    .map(found -> multivariant.resolve(found.group(1)))
                    .toList();
        }

        List<String> lines(URI playlist, String prefix) {
            return server.get(playlist).body().lines().filter(l -> l.startsWith(prefix)).toList();
        }
    }

    @Test
    void tracksOfOnePush_areRenditions_andThoseThatDoNotFitAreNot() throws Exception {
        List<Path> tracks =
                List.of(video("640x360", 50), video("426x240", 50), video("320x180", 50));
        List<Path> odd = List.of(video("640x360", 50), video("426x240", 35));
        List<Path> audio = List.of(audio(440, 48_000), audio(880, 44_100));
        try (TestServer server = TestServer.start(folder)) {
            Live standard = Live.create(server, "{}");
            Live low =
                    Live.create(
                            server,
                            "{\"latency_mode\": \"low\", \"renditions\": [{\"height\": 240}]}");
            Live misfit = Live.create(server, "{}");
            for (Live each : List.of(standard, low)) {
                try (MultitrackPush push =
                        MultitrackPush.publish(server.push(each.key()), List.of("eng", "spa"))) {
                    // A track that comes after a segment of the source begins with the next one.
                    push.send(tracks, audio, 0, MultitrackPush.Part.BEGINNING);
                    TestServer.await("all tracks", SOON, () -> runningTracks(each) == 3);
                    push.send(tracks, audio, 0, MultitrackPush.Part.REST);
                    TestServer.await(
                            "all renditions",
                            SOON,
                            () -> each.variants().size() == 3 && each.audio().size() == 2);
                    assertSession(each.session());
                    assertMultivariant(each.text());
                    List<URI> playlists = new ArrayList<>(each.variants());
                    playlists.addAll(each.audio());
                    server.call("PUT", STREAMS + each.id() + "/complete", "", 200);
                    assertSameSegments(each, playlists);
                }
            }
            try (MultitrackPush push =
                    MultitrackPush.publish(server.push(misfit.key()), List.of("eng"))) {
                push.send(odd, audio.subList(0, 1), 0);
                TestServer.await("the source", SOON, () -> misfit.variants().size() == 1);
                TestServer.await("a warning", SOON, () -> warnings(misfit).size() == 1);
                assertEquals(List.of("multitrack_key_frames"), warnings(misfit));
                assertEquals("dropped", misfit.session().at("/tracks/0/state").asText());
                TestServer.await("the source alone", SOON, () -> misfit.variants().size() == 1);
            }
            assertEquals(
                    0,
                    server.metrics().value("touchline_renditions_seconds_total{stage=\"encode\"}"));
        }
    }

    /** Of those beside the first video and audio. */
    private static long runningTracks(Live live) {
        return live.session()
                .path("tracks")
                .valueStream()
                .filter(each -> each.path("state").asText().equals("running"))
                .count();
    }

    private static List<String> warnings(Live live) {
        List<String> codes = new ArrayList<>();
        live.session()
                .path("warnings")
                .forEach(
                        each -> {
                            if (each.path("code").asText().startsWith("multitrack")) {
                                codes.add(each.path("code").asText());
                            }
                        });
        return codes;
    }

    private static void assertSession(JsonNode session) {
        JsonNode renditions = session.path("renditions");
        assertEquals(2, renditions.size(), session::toString);
        assertEquals(240, renditions.at("/0/height").asInt());
        assertEquals(426, renditions.at("/0/width").asInt());
        assertEquals(180, renditions.at("/1/height").asInt());
        for (JsonNode each : renditions) {
            assertEquals("running", each.path("state").asText());
            assertTrue(each.path("codecs").asText().startsWith("avc1."), each::toString);
            assertTrue(each.path("video_bitrate").asInt() > 50_000, each::toString);
        }
        JsonNode audio = session.at("/tracks/2");
        assertEquals("audio", audio.path("kind").asText());
        assertEquals("es", audio.path("language").asText());
        assertEquals("Spanish", audio.path("name").asText());
        assertEquals("audio-1", audio.path("rendition").asText());
    }

    private static void assertMultivariant(String text) {
        assertTrue(
                text.contains("NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES"), text);
        assertTrue(
                text.contains("NAME=\"Spanish\",LANGUAGE=\"es\",DEFAULT=NO,AUTOSELECT=YES"), text);
        assertTrue(text.contains("/source-video/media.m3u8\n"), text);
        assertTrue(text.contains("/240p-video/media.m3u8\n"), text);
        assertEquals(3, text.split(",AUDIO=\"audio\"", -1).length - 1, text);
        assertTrue(text.indexOf("640x360") < text.indexOf("426x240"), text);
        assertTrue(text.indexOf("426x240") < text.indexOf("320x180"), text);
    }

    /** Same numbers and durations in all; key frames first; clean when decoded. */
    private void assertSameSegments(Live live, List<URI> playlists) throws Exception {
        TestServer.await(
                "the ends",
                SOON,
                () ->
                        playlists.stream()
                                .noneMatch(each -> live.lines(each, "#EXT-X-ENDLIST").isEmpty()));
        List<String> durations = live.lines(playlists.getFirst(), "#EXTINF");
        assertTrue(durations.size() >= 3, durations::toString);
        List<String> expected = List.of();
        for (URI each : playlists) {
            boolean isAudio = each.getPath().contains("/audio-");
            assertEquals(durations, live.lines(each, "#EXTINF"), each::toString);
            Path file = joined(live, each);
            assertEquals("", MediaTool.decode(file), each::toString);
            if (!isAudio) {
                List<String> times =
                        MediaTool.probe(file, "v", "packet=pts_time").stream().sorted().toList();
                expected = expected.isEmpty() ? times : expected;
                assertEquals(expected, times, each::toString);
            }
        }
        assertKeyFrameFirst(live, playlists.get(2));
    }

    private void assertKeyFrameFirst(Live live, URI playlist) throws Exception {
        List<String> lines = live.server().get(playlist).body().lines().toList();
        String init =
                lines.stream()
                        .map(URI_OF::matcher)
                        .filter(Matcher::find)
                        .map(found -> found.group(1))
                        .findFirst()
                        .orElseThrow();
        String second =
                lines.stream().filter(line -> SEGMENT.matcher(line).matches()).toList().get(1);
        Path file = Files.createTempFile(folder, "segment", ".mp4");
        write(live, file, List.of(playlist.resolve(init), playlist.resolve(second)));
        assertTrue(MediaTool.probe(file, "v", "packet=flags").getFirst().startsWith("K"));
    }

    private Path joined(Live live, URI playlist) throws Exception {
        List<URI> parts = new ArrayList<>();
        for (String line : live.server().get(playlist).body().lines().toList()) {
            Matcher map = URI_OF.matcher(line);
            if (line.startsWith("#EXT-X-MAP") && map.find()) {
                parts.add(playlist.resolve(map.group(1)));
            } else if (SEGMENT.matcher(line).matches()) {
                parts.add(playlist.resolve(line));
            }
        }
        assertFalse(parts.isEmpty());
        Path file = Files.createTempFile(folder, "rendition", ".mp4");
        write(live, file, parts);
        return file;
    }

    private static void write(Live live, Path file, List<URI> parts) throws Exception {
        try (var out = Files.newOutputStream(file)) {
            for (URI each : parts) {
                out.write(live.server().bytes(each).body());
            }
        }
    }
}
