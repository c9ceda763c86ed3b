package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import touchline.api.demo.DemoMatch;
import touchline.api.jobs.WarmUpHandler;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.worker.WorkerJobException;

/**
 * A low-latency stream with viewers, for the JVM's AOT training. Every viewer waits for the next
 * part with a blocking playlist reload, then fetches the playlist and the part. Some fetch the
 * newest segment, one calls the API. The load suffices for the C2 compiler to profile the usual
 * work of a server. At the end a clip is cut, and its frames are encoded in this JVM too: worker
 * processes use the same cache. Blocks the calling thread.
 */
final class AotTraining {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration MOMENT = Duration.ofMillis(20);

    private static final Duration CLIP_PATIENCE = Duration.ofSeconds(30);
    private static final double CLIP_START = 0.7;
    private static final double CLIP_END = 3.1;

    private static final int VIEWERS = 300;

    /** Viewers that fetch whole segments, which are large. */
    private static final int FEW = 20;

    private static final Pattern HINT =
            Pattern.compile("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"(s(\\d+)\\.(\\d+)[^\"]*)\"");
    private static final Pattern ADDRESS = Pattern.compile("(?m)^[^#\\s].*$");

    private final ApiClient api;
    private final AotTrainingViewers audience;
    private int rounds;
    private long answers;

    private AotTraining(ApiClient api, AotTrainingViewers audience) {
        this.api = api;
        this.audience = audience;
    }

    /**
     * The result of the training.
     *
     * @param rounds number of awaited parts
     * @param answers successful answers to the viewers
     */
    record Result(int rounds, long answers) {}

    /**
     * Pushes the demo's match and watches it. Does not delete the stream.
     *
     * @param secret of the token {@code admin}
     * @throws CommandException if the API or the viewers' port failed, or no media arrived in time
     * @throws IllegalStateException if this host has no H.264 encoder
     */
    static Result play(Server server, String secret, Duration howLong) throws InterruptedException {
        URI api = URI.create("http://127.0.0.1:" + server.apiPort());
        URI viewers = URI.create("http://127.0.0.1:" + server.playbackPort() + "/");
        try (ApiClient client = new ApiClient(api, secret);
                AotTrainingViewers audience =
                        AotTrainingViewers.connect(server.playbackPort(), VIEWERS)) {
            JsonNode stream = client.post("/live/v1/live-streams", definition()).path("data");
            URI ingest = URI.create("rtmp://127.0.0.1:" + server.rtmpPort() + "/live");
            String key = stream.path("stream_key").asText();
            String playbackId = stream.path("playback_ids").path(0).path("id").asText();
            try (DemoMatch _ = DemoMatch.start(DemoMatch.Settings.of(ingest, key))) {
                AotTraining training = new AotTraining(client, audience);
                URI media = training.awaitMedia(viewers.resolve(playbackId + ".m3u8"));
                long endNs = System.nanoTime() + howLong.toNanos();
                while (System.nanoTime() - endNs < 0) {
                    training.watchPart(media);
                }
                cutClip(client);
                loadClipWorker();
                return new Result(training.rounds, training.answers);
            }
        }
    }

    private static JsonNode definition() {
        return JsonNodeFactory.instance.objectNode().put("latency_mode", "low").put("record", true);
    }

    /** Address of the media playlist. Waits until it exists. */
    private URI awaitMedia(URI multivariant) throws InterruptedException {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - endNs < 0) {
            Optional<String> answer = audience.ask(multivariant);
            if (answer.isPresent()) {
                return multivariant.resolve(lastAddress(answer.get()));
            }
            Thread.sleep(MOMENT);
        }
        throw new CommandException("no playlist within " + PATIENCE.toSeconds() + " s");
    }

    private void watchPart(URI media) {
        String playlist =
                audience.ask(media).orElseThrow(() -> new CommandException("no playlist any more"));
        MatchResult hint =
                HINT.matcher(playlist)
                        .results()
                        .findFirst()
                        .orElseThrow(() -> new CommandException("no part is announced"));
        URI reload =
                URI.create(media + "?_HLS_msn=" + hint.group(2) + "&_HLS_part=" + hint.group(3));
        rounds++;
        answers += audience.ask(reload, VIEWERS);
        answers += audience.ask(URI.create(reload + "&_HLS_skip=YES"), VIEWERS);
        answers += audience.ask(media, VIEWERS);
        // The segment may end without the announced part.
        answers += audience.ask(media.resolve(hint.group(1)), VIEWERS);
        if (ADDRESS.matcher(playlist).find()) {
            answers += audience.ask(media.resolve(lastAddress(playlist)), FEW);
        }
        api.get("/live/v1/live-streams");
    }

    /** Cut between key frames. Where that takes too long, the cache is made without its end. */
    private static void cutClip(ApiClient api) throws InterruptedException {
        String assets = "/video-streams/v1/assets";
        long endNs = System.nanoTime() + CLIP_PATIENCE.toNanos();
        JsonNode recording = api.get(assets).at("/data/0");
        while (recording.path("duration").asDouble() < CLIP_END && System.nanoTime() - endNs < 0) {
            Thread.sleep(MOMENT);
            recording = api.get(assets).at("/data/0");
        }
        if (recording.path("duration").asDouble() < CLIP_END) {
            return;
        }
        JsonNode range =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("asset_id", recording.path("asset_id").asText())
                        .put("start_time", CLIP_START)
                        .put("end_time", CLIP_END);
        String clip =
                assets
                        + "/"
                        + api.post("/video-streams/v1/video/clip", range)
                                .at("/data/asset_id")
                                .asText();
        while (api.get(clip).at("/data/status").asText().equals("preparing")
                && System.nanoTime() - endNs < 0) {
            Thread.sleep(MOMENT);
        }
    }

    /** Runs the first job of a process of clips, whose classes then come from the cache. */
    private static void loadClipWorker() {
        if (!Ffmpeg.encoders().usable().contains(H264Encoder.X264)) {
            return;
        }
        try {
            JsonNode _ =
                    new WarmUpHandler()
                            .handle(
                                    JsonNodeFactory.instance
                                            .objectNode()
                                            .put("encoder", H264Encoder.X264.name()),
                                    _ -> {});
        } catch (IOException | WorkerJobException e) {
            throw new CommandException("frames of a clip: " + e.getMessage(), e);
        }
    }

    private static String lastAddress(String playlist) {
        return ADDRESS.matcher(playlist).results().reduce((_, last) -> last).orElseThrow().group();
    }
}
