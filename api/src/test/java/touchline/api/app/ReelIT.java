package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clips of several ranges, through the API, down to the frames that players show. */
class ReelIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final String CLIP = "/video-streams/v1/video/clip";
    private static final String H264 = "libx264 -preset ultrafast -bf 2 -g 60";

    /** The second source starts with this frame of the same video. */
    private static final int LATER = 180;

    private static final String PLAYER = "document.getElementById('player')";
    private static final String VIDEO = "document.querySelector('video')";

    @TempDir private Path folder;

    /** Of one codec configuration, and of two with and without audio. Then the sources go. */
    @Test
    void reels_showExactlyTheirRanges_inHlsAndMp4() throws Exception {
        Path flv = folder.resolve("in.flv");
        Path tall = folder.resolve("tall.flv");
        NumberedVideo.encode(flv, 24, H264);
        NumberedVideo.encode(tall, 8, H264 + " -vf scale=288:128");
        try (TestServer server = TestServer.start(folder.resolve("data"))) {
            List<String> sources =
                    recorded(
                            server,
                            List.of(
                                    List.of("-i", flv.toString()),
                                    List.of("-ss", "6.5", "-i", flv.toString()),
                                    List.of("-i", tall.toString(), "-an")));
            String first = sources.get(0);
            String later = sources.get(1);

            JsonNode reel = reel(server, tenRanges(first, later));
            JsonNode mixed =
                    reel(
                            server,
                            List.of(
                                    range(first, "5.5", "7.5"),
                                    range(sources.get(2), "1.3", "4.1"),
                                    range(first, "0.35", "2.35")));
            for (String source : sources) {
                server.call("DELETE", ASSETS + "/" + source, "", 200);
            }

            List<Integer> expected = tenRangesOfFrames();
            awaitReady(server, reel);
            assertEquals(expected, NumberedVideo.numbers(hls(server, reel)), "HLS");
            assertEquals(expected, NumberedVideo.numbers(mp4(server, reel)), "MP4");
            assertEquals(
                    expected.size() / 30.0, seconds(server, reel), 0.001, "as many as the frames");
            assertOneTimeline(server, reel);
            assertMarkers(server, reel);

            awaitReady(server, mixed);
            List<Integer> shown = new ArrayList<>();
            shown.addAll(frames(5.5, 7.5));
            shown.addAll(frames(1.3, 4.1));
            shown.addAll(frames(0.35, 2.35));
            assertEquals(shown, NumberedVideo.numbers(hls(server, mixed)), "HLS");
            assertTwoConfigurations(server, mixed);
            TestServer.await("the MP4", SOON, () -> statusOfMp4(server, mixed) == 200);
            List<Integer> inMp4 = NumberedVideo.numbers(mp4(server, mixed));
            assertEquals(shown.size(), inMp4.size());
            // The numbers of the second range stand between bars: elsewhere than in the others.
            assertEquals(shown.subList(0, 60), inMp4.subList(0, 60));
            assertEquals(shown.subList(144, 204), inMp4.subList(144, 204));
            assertEquals(shown.size() / 30.0, seconds(server, mixed), 0.001);
            assertOneFormat(server, mixed);
            playsInChromium(server, mixed);
        }
    }

    /** Whole GOPs, parts of one, the first and the last frame, twice the same, and overlapping. */
    private static List<String> tenRanges(String first, String later) {
        return List.of(
                range(first, "1.35", "4.017"),
                range(later, "2", "6"),
                range(first, "20.5", "23.9"),
                range(later, "0", "0.7"),
                range(first, "1.35", "4.017"),
                range(first, "7.25", "9.75"),
                range(later, "9.1", "11.3"),
                range(first, "3", "3.2"),
                range(later, "10.55", "14.45"),
                range(first, "0", "2"));
    }

    private static List<Integer> tenRangesOfFrames() {
        List<Integer> all = new ArrayList<>();
        all.addAll(frames(1.35, 4.017));
        all.addAll(later(2, 6));
        all.addAll(frames(20.5, 23.9));
        all.addAll(later(0, 0.7));
        all.addAll(frames(1.35, 4.017));
        all.addAll(frames(7.25, 9.75));
        all.addAll(later(9.1, 11.3));
        all.addAll(frames(3, 3.2));
        all.addAll(later(10.55, 14.45));
        all.addAll(frames(0, 2));
        return all;
    }

    /** Frame n is shown at n / 30 s, rounded to a millisecond. */
    private static List<Integer> frames(double from, double to) {
        return IntStream.range(0, 10_000)
                .filter(n -> Math.round(n / 0.03) >= Math.round(from * 1_000))
                .filter(n -> Math.round(n / 0.03) < Math.round(to * 1_000))
                .boxed()
                .toList();
    }

    private static List<Integer> later(double from, double to) {
        return frames(from, to).stream().map(n -> n + LATER).toList();
    }

    private static void assertOneTimeline(TestServer server, JsonNode reel) {
        String playlist = playlist(server, reel);
        assertFalse(playlist.contains("#EXT-X-DISCONTINUITY\n"), playlist);
        assertEquals(1, count(playlist, "#EXT-X-MAP"), playlist);
        double sum =
                Pattern.compile("#EXTINF:([0-9.]+)")
                        .matcher(playlist)
                        .results()
                        .mapToDouble(found -> Double.parseDouble(found.group(1)))
                        .sum();
        assertEquals(tenRangesOfFrames().size() / 30.0, sum, 0.002, playlist);
        List<Instant> dates =
                Pattern.compile("#EXT-X-PROGRAM-DATE-TIME:(\\S+)")
                        .matcher(playlist)
                        .results()
                        .map(found -> Instant.parse(found.group(1)))
                        .toList();
        // The last range is the beginning of what the first one is from.
        double seconds = Duration.between(dates.getLast(), dates.getFirst()).toNanos() / 1e9;
        assertEquals(1.367, seconds, 0.04, playlist);
    }

    private static void assertMarkers(TestServer server, JsonNode reel) throws Exception {
        JsonNode markers = server.call("GET", asset(reel) + "/markers", "", 200).path("data");
        List<Double> times = markers.findValues("time").stream().map(JsonNode::asDouble).toList();
        // At 2 s of the first source: in the ranges 1 and 5.
        double fifth = (frames(1.35, 4.017).size() + 120 + 102 + 21) / 30.0;
        assertEquals(2, times.size(), markers::toString);
        assertEquals(2 - 41 / 30.0, times.get(0), 0.002, markers::toString);
        assertEquals(fifth + 2 - 41 / 30.0, times.get(1), 0.002, markers::toString);
        String chapters = server.get(server.playback(playbackId(reel) + "/chapters.vtt")).body();
        assertTrue(chapters.contains("Goal"), chapters);
    }

    private static void assertTwoConfigurations(TestServer server, JsonNode mixed)
            throws Exception {
        String playlist = playlist(server, mixed);
        assertEquals(2, count(playlist, "#EXT-X-DISCONTINUITY\n"), playlist);
        assertEquals(3, count(playlist, "#EXT-X-MAP"), playlist);
        assertEquals("", decoded(server.playback(playbackId(mixed) + ".m3u8").toString()));
    }

    private static void assertOneFormat(TestServer server, JsonNode mixed) throws Exception {
        assertEquals("", decoded(mp4(server, mixed)));
        String streams =
                output(
                        "ffprobe -v error -show_entries stream=codec_name,width,height,sample_rate"
                                + " -of csv=p=0 "
                                + mp4(server, mixed));
        assertEquals("h264,288,64\naac,48000", streams.strip().replace(",\n", "\n"));
        String volume =
                output(
                        "ffmpeg -hide_banner -nostats -ss 2.1 -t 2.4 -i "
                                + mp4(server, mixed)
                                + " -af volumedetect -vn -f null -");
        assertTrue(volume.contains("max_volume: -91.0 dB"), volume);
    }

    private static String output(String command) throws Exception {
        try (Encoder program = Encoder.run(command.split(" "))) {
            int status = program.await(SOON);
            String output = program.output();
            assertEquals(0, status, output);
            return output;
        }
    }

    /** Video and audio, to the end; what the decoders complain about. */
    private static String decoded(String address) throws Exception {
        return output("ffmpeg -v error -i " + address + " -f null -");
    }

    private static void playsInChromium(TestServer server, JsonNode mixed) throws Exception {
        try (TestBrowser browser = TestBrowser.start()) {
            browser.viewport(800, 500);
            browser.open(server.playback(playbackId(mixed)).toString());
            browser.await(PLAYER + ".dataset.says === 'playing'", SOON);
            browser.evaluate(VIDEO + ".playbackRate = 3");
            browser.await(VIDEO + ".currentTime > 2.5", SOON);
            browser.save("reel-second-range.png");
            browser.await(VIDEO + ".currentTime > 6.7", SOON);
            assertEquals("null", browser.evaluate("String(" + VIDEO + ".error)").asText());
            browser.assertNoPolicyReports();
        }
    }

    /** Pushes all at once, and returns their assets in the same order. */
    private static List<String> recorded(TestServer server, List<List<String>> inputs)
            throws Exception {
        List<Encoder> encoders = new ArrayList<>();
        List<String> streams = new ArrayList<>();
        try {
            for (List<String> input : inputs) {
                JsonNode stream =
                        server.createStream("{\"record\": true, \"reconnect_window\": 0}");
                streams.add(stream.path("id").asText());
                List<String> command =
                        new ArrayList<>(List.of("ffmpeg", "-v", "info", "-readrate", "8"));
                command.addAll(input);
                command.addAll(List.of("-c", "copy", "-f", "flv"));
                command.add(server.push(stream.path("stream_key").asText()));
                encoders.add(Encoder.run(command.toArray(String[]::new)));
            }
            for (Encoder encoder : encoders) {
                assertEquals(0, encoder.await(SOON), encoder::output);
            }
        } finally {
            for (Encoder encoder : encoders) {
                encoder.close();
            }
        }
        marker(server, streams.getFirst());
        List<String> assets = new ArrayList<>();
        for (String stream : streams) {
            String list = ASSETS + "?live_stream_id=" + stream;
            TestServer.await(
                    "a finished asset",
                    SOON,
                    () -> {
                        JsonNode asset = data(server, list).path(0);
                        return asset.path("status").asText().equals("ready")
                                && !asset.path("is_live").asBoolean();
                    });
            assets.add(data(server, list).at("/0/asset_id").asText());
        }
        return assets;
    }

    private static void marker(TestServer server, String stream) throws Exception {
        String sessions = "/live/v1/live-streams/" + stream + "/sessions";
        String session = data(server, sessions).at("/0/id").asText();
        server.call(
                "POST",
                "/live/v1/sessions/" + session + "/markers",
                "{\"label\": \"Goal\", \"kind\": \"score\", \"time\": 2}",
                200);
    }

    private static String range(String asset, String start, String end) {
        return "{\"asset_id\": \"%s\", \"start_time\": %s, \"end_time\": %s}"
                .formatted(asset, start, end);
    }

    private static JsonNode reel(TestServer server, List<String> ranges) throws Exception {
        JsonNode reel = server.call("POST", CLIP, "{\"ranges\": " + ranges + "}", 200).path("data");
        assertEquals(ranges.size(), reel.path("ranges").size(), reel::toString);
        return reel;
    }

    private static void awaitReady(TestServer server, JsonNode clip) throws Exception {
        TestServer.await(
                "the reel",
                SOON,
                () -> {
                    JsonNode now = asset(server, clip);
                    assertFalse(now.path("status").asText().equals("errored"), now::toString);
                    return now.path("status").asText().equals("ready");
                });
        assertEquals(0, asset(server, clip).path("errors").size(), "exact");
    }

    private static double seconds(TestServer server, JsonNode clip) throws Exception {
        return Double.parseDouble(
                output(
                                "ffprobe -v error -show_entries format=duration -of csv=p=0 "
                                        + mp4(server, clip))
                        .strip());
    }

    private static int statusOfMp4(TestServer server, JsonNode clip) {
        HttpResponse<String> reply = server.get(URI.create(mp4(server, clip)));
        if (reply.statusCode() == 200) {
            return 200;
        }
        assertTrue(reply.headers().firstValue("Retry-After").isPresent(), reply::body);
        assertTrue(reply.body().contains("several formats"), reply::body);
        return reply.statusCode();
    }

    private static int count(String text, String part) {
        return Arrays.asList(text.split(Pattern.quote(part), -1)).size() - 1;
    }

    private static String playlist(TestServer server, JsonNode clip) {
        String media = clip.path("asset_id").asText() + "/media.m3u8";
        return server.get(server.playback(playbackId(clip) + "/" + media)).body();
    }

    private static String hls(TestServer server, JsonNode clip) {
        return server.playback(playbackId(clip) + ".m3u8").toString();
    }

    private static String mp4(TestServer server, JsonNode clip) {
        return server.playback(playbackId(clip) + "/capped-1080p.mp4").toString();
    }

    private static String playbackId(JsonNode clip) {
        return clip.at("/playback_ids/0/id").asText();
    }

    private static String asset(JsonNode clip) {
        return ASSETS + "/" + clip.path("asset_id").asText();
    }

    private static JsonNode asset(TestServer server, JsonNode clip) {
        return data(server, asset(clip));
    }

    private static JsonNode data(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(path, e);
        }
    }
}
