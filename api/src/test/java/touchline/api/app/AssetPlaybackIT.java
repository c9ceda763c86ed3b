package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.TokenForge;
import touchline.packager.isobmff.BoxReader;

/** A recorded session as its asset: while it grows, when it is over, and when it is deleted. */
class AssetPlaybackIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final int PUSHED_FRAMES = 20 * 30;

    @TempDir private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    /** Ids of the asset. */
    private record Ids(String asset, String open, String signed) {}

    @Test
    void asset_fromItsFirstSegmentUntilItIsDeleted_isPlayable() throws Exception {
        Path flv = folder.resolve("in.flv");
        encode(flv);
        try (TestServer server = TestServer.start(Files.createDirectory(folder.resolve("data")))) {
            JsonNode stream =
                    server.createStream(
                            """
                            {"policy": ["public", "signed"], "record": true,
                             "reconnect_window": 0}
                            """);
            String push = server.push(stream.path("stream_key").asText());
            Ids ids;
            try (Encoder encoder =
                    Encoder.run(
                            "ffmpeg", "-v", "info", "-re", "-i", flv + "", "-c", "copy", "-f",
                            "flv", push)) {
                ids = whileItGrows(server, encoder);
                assertEquals(0, encoder.await(SOON), encoder::output);
            }
            TestServer.await(
                    "the end", SOON, () -> !asset(server, ids).path("is_live").asBoolean());
            JsonNode finished = asset(server, ids);
            assertEquals("ready", finished.path("status").asText(), finished::toString);
            asHls(server, ids);
            asMp4(server, ids);
            signed(server, ids);
            deleted(server, ids);
            for (String mode : List.of("standard", "low")) {
                framesStop(server, mode, flv);
            }
        }
    }

    /** Frames are away from 6 s to 13.9 s, pushed faster than real time. */
    private void framesStop(TestServer server, String mode, Path flv) throws Exception {
        Path stripped =
                StrippedFlv.withoutFrames(flv, 6_000, 13_900, folder.resolve(mode + ".flv"));
        JsonNode stream =
                server.createStream(
                        "{\"record\": true, \"reconnect_window\": 0, \"latency_mode\": \"%s\"}"
                                .formatted(mode));
        String id = stream.path("id").asText();
        String push = server.push(stream.path("stream_key").asText());
        String pushes = " -c copy -max_interleave_delta 100000 -f flv ";
        assertEquals("", run("ffmpeg -v error -i " + stripped + pushes + push));
        TestServer.await(
                "the end", SOON, () -> finishedOf(server, id).path("asset_id").isTextual());

        URI movie = mp4(server, finishedOf(server, id).at("/playback_ids/0/id").asText());
        int audio = packets(movie.toString(), "a");
        assertEquals(20.0 * 48_000 / 1_024, audio, 2, mode);
        // Key frames that stand for the missing ones: one for each part.
        int repeated = mode.equals("low") ? 35 : 8;
        assertEquals((6 + 6) * 30 + repeated, packets(movie.toString(), "v"), mode);
        JsonNode session =
                server.call("GET", "/live/v1/live-streams/" + id + "/sessions", "", 200)
                        .at("/data/0");
        List<String> codes = new ArrayList<>();
        session.path("warnings").forEach(warning -> codes.add(warning.path("code").asText()));
        assertTrue(codes.contains("no_video"), session::toString);
        assertFalse(codes.contains("av_drift"), session::toString);
        assertFalse(codes.contains("key_frame_interval"), session::toString);
    }

    /** The finished asset of a stream. */
    private static JsonNode finishedOf(TestServer server, String streamId) {
        for (JsonNode asset : list(server)) {
            if (asset.path("live_stream_id").asText().equals(streamId)
                    && asset.path("status").asText().equals("ready")
                    && !asset.path("is_live").asBoolean()) {
                return asset;
            }
        }
        return MissingNode.getInstance();
    }

    /** 20 s of frames with B-frames and a tone. */
    private static void encode(Path flv) throws Exception {
        try (Encoder encoder =
                Encoder.run(
                        ("ffmpeg -v error -f lavfi -i testsrc2=size=320x180:rate=30 -f lavfi -i"
                                        + " sine=sample_rate=48000 -t 20 -c:v libx264 -preset"
                                        + " ultrafast -bf 2 -g 60 -sc_threshold 0 -pix_fmt yuv420p"
                                        + " -c:a aac "
                                        + flv)
                                .split(" "))) {
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
    }

    private Ids whileItGrows(TestServer server, Encoder encoder) throws Exception {
        try {
            TestServer.await("an asset that is ready", SOON, () -> !ready(server).isMissingNode());
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; encoder: " + encoder.output(), e);
        }
        JsonNode asset = ready(server);
        Ids ids =
                new Ids(
                        asset.path("asset_id").asText(),
                        asset.at("/playback_ids/0/id").asText(),
                        asset.at("/playback_ids/1/id").asText());
        assertTrue(asset.path("is_live").asBoolean(), asset::toString);

        HttpResponse<byte[]> movie = fetch(mp4(server, ids.open()));
        assertEquals(404, movie.statusCode());
        assertTrue(movie.headers().firstValue("retry-after").isPresent(), "comes later");

        URI multivariant = server.playback(ids.open() + ".m3u8");
        assertEquals(200, server.get(multivariant).statusCode());
        String media = server.get(server.mediaPlaylist(multivariant)).body();
        assertTrue(media.contains("#EXT-X-PLAYLIST-TYPE:EVENT"), media);
        assertEquals(
                "",
                run("ffmpeg -v error -live_start_index 0 -t 2 -i " + multivariant + " -f null -"));
        assertTrue(asset(server, ids).path("is_live").asBoolean(), "read while it grew");
        return ids;
    }

    private void asHls(TestServer server, Ids ids) throws Exception {
        URI multivariant = server.playback(ids.open() + ".m3u8");
        URI playlist = server.mediaPlaylist(multivariant);
        String media = server.get(playlist).body();

        assertTrue(media.contains("#EXT-X-PLAYLIST-TYPE:VOD\n"), media);
        assertTrue(media.endsWith("#EXT-X-ENDLIST\n"), media);
        assertEquals(
                404, fetch(playlist.resolve("s" + Long.MAX_VALUE / 100 + ".m4s")).statusCode());
        String said = run("ffmpeg -v warning -i " + multivariant + " -f null -");
        List<String> warnings =
                said.lines().filter(line -> !line.contains("duplicated MOOV")).toList();
        assertEquals(List.of(), warnings);
        assertEquals(PUSHED_FRAMES, frames(multivariant.toString()));
    }

    private void asMp4(TestServer server, Ids ids) throws Exception {
        URI address = mp4(server, ids.open());
        HttpResponse<byte[]> whole = fetch(URI.create(address + "?download=final%2Fgame.mp4"));
        assertEquals(200, whole.statusCode());
        assertEquals(
                "attachment; filename=\"final_game.mp4\"",
                whole.headers().firstValue("content-disposition").orElse(""));
        assertEquals("bytes", whole.headers().firstValue("accept-ranges").orElse(""));
        byte[] movie = whole.body();
        List<String> order =
                BoxReader.walk(MemorySegment.ofArray(movie)).stream()
                        .map(BoxReader.Box::type)
                        .toList();
        assertEquals(List.of("ftyp", "moov", "mdat"), order, "plays while it is downloaded");

        String tag = whole.headers().firstValue("etag").orElseThrow();
        int middle = movie.length / 2;
        HttpResponse<byte[]> rest =
                fetch(address, "Range", "bytes=" + middle + "-", "If-Range", tag);
        assertEquals(206, rest.statusCode());
        assertArrayEquals(Arrays.copyOfRange(movie, middle, movie.length), rest.body());
        assertEquals(304, fetch(address, "If-None-Match", tag).statusCode());
        assertEquals(416, fetch(address, "Range", "bytes=" + movie.length + "-").statusCode());

        Path file = Files.write(folder.resolve("movie.mp4"), movie);
        assertEquals("", run("ffmpeg -v warning -i " + file + " -f null -"));
        assertEquals(PUSHED_FRAMES, frames(file.toString()));
    }

    private void signed(TestServer server, Ids ids) throws Exception {
        JsonNode key = server.call("POST", SignedStream.KEYS, "", 200).path("data");
        TokenForge forge = TokenForge.of(key.path("id").asText(), key.path("private_key").asText());
        String token = "?token=" + forge.good(ids.signed(), SignedStream.now() + 600);
        URI multivariant = server.playback(ids.signed() + ".m3u8");
        URI movie = mp4(server, ids.signed());

        assertEquals(403, fetch(multivariant).statusCode());
        assertEquals(403, fetch(movie).statusCode());
        assertEquals(200, fetch(URI.create(movie + token)).statusCode());
        URI media = server.mediaPlaylist(URI.create(multivariant + token));
        assertTrue(media.getPath().contains("/~"), "below a grant");
        assertEquals(200, fetch(media).statusCode());
    }

    private void deleted(TestServer server, Ids ids) throws Exception {
        URI multivariant = server.playback(ids.open() + ".m3u8");
        URI media = server.mediaPlaylist(multivariant);
        URI init = media.resolve("init0.mp4");
        List<URI> all = List.of(multivariant, media, init, mp4(server, ids.open()));
        for (URI address : all) {
            assertEquals(200, fetch(address).statusCode(), address::toString);
        }

        server.call("DELETE", ASSETS + "/" + ids.asset(), "", 200);

        for (URI address : all) {
            assertEquals(404, fetch(address).statusCode(), address::toString);
        }
        Path files = folder.resolve("data/assets").resolve(ids.asset());
        TestServer.await("its files are gone", SOON, () -> !Files.exists(files));
    }

    private static URI mp4(TestServer server, String playbackId) {
        return server.playback(playbackId + "/capped-1080p.mp4");
    }

    /** The first asset of the server, when it can be played. */
    private static JsonNode ready(TestServer server) {
        for (JsonNode asset : list(server)) {
            if (asset.path("status").asText().equals("ready")) {
                return asset;
            }
        }
        return MissingNode.getInstance();
    }

    private static JsonNode list(TestServer server) {
        try {
            return server.call("GET", ASSETS, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode asset(TestServer server, Ids ids) {
        try {
            return server.call("GET", ASSETS + "/" + ids.asset(), "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<byte[]> fetch(URI address, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static int frames(String source) throws Exception {
        return packets(source, "v");
    }

    private static int packets(String source, String kind) throws Exception {
        String packets =
                run(
                        "ffprobe -v error -select_streams %s -show_entries packet=size -of csv=p=0 %s"
                                .formatted(kind, source));
        return (int) packets.lines().filter(line -> !line.isBlank()).count();
    }

    /** Output of the command, which must succeed. */
    private static String run(String command) throws Exception {
        try (Encoder program = Encoder.run(command.split(" "))) {
            int code = program.await(SOON);
            String output = program.output();
            assertEquals(0, code, output);
            assertFalse(program.isRunning());
            return output;
        }
    }
}
