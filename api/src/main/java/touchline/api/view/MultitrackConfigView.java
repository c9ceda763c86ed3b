package touchline.api.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import touchline.api.domain.StreamDefinition;
import touchline.media.rendition.Ladder;
import touchline.media.rendition.RenditionFormat;
import touchline.media.rendition.RenditionSettings;

/**
 * The multitrack configuration of a stream in the form of OBS Studio's go-live API, schema
 * 2025-01-25: what its {@code GoLiveApi::Config} reads. All video tracks have the same frame rate
 * and key frame interval, no B-frames and no further key frames at scene cuts, so that their key
 * frames fall together. Immutable, any thread.
 */
public final class MultitrackConfigView {
    private static final String SCHEMA_VERSION = "2025-01-25";
    private static final int KEY_FRAME_INTERVAL_S = 2;
    private static final int AUDIO_KBPS = 160;
    private static final int CHANNELS = 2;
    private static final int BPS_PER_KBPS = 1_000;
    private static final int NTSC_DENOMINATOR = 1_001;
    private static final double NTSC_TOLERANCE = 0.005;

    private final URI rtmpUrl;

    /** An encoder of OBS Studio. */
    public enum Encoder {
        /** On the processor. */
        X264("obs_x264"),
        /** On a GPU of NVIDIA. */
        NVENC("obs_nvenc_h264_tex");

        private final String type;

        Encoder(String type) {
            this.type = type;
        }

        /** By its name in the API. */
        public static Optional<Encoder> of(String name) {
            return Arrays.stream(values())
                    .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst();
        }
    }

    /**
     * @param rtmpUrl push address for encoders, with the application's name
     */
    public MultitrackConfigView(URI rtmpUrl) {
        this.rtmpUrl = rtmpUrl;
    }

    /**
     * @param source size and rate of the first track
     */
    public ObjectNode of(StreamDefinition stream, Ladder.Source source, Encoder encoder) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putObject("meta")
                .put("service", "Touchline")
                .put("schema_version", SCHEMA_VERSION)
                .put("config_id", stream.id().value());
        json.putObject("status").put("result", "success");
        json.putArray("ingest_endpoints")
                .addObject()
                .put("protocol", rtmpUrl.getScheme().toUpperCase(Locale.ROOT))
                .put("url_template", rtmpUrl + "/{stream_key}")
                .put("authentication", stream.streamKey());
        ArrayNode video = json.putArray("encoder_configurations");
        int sourceBps =
                Ladder.defaultBitrateBps(source.width(), source.height(), source.frameRate());
        video.add(track(source.width(), source.height(), sourceBps, source, encoder));
        RenditionSettings wanted = stream.settings().renditions();
        Ladder ladder = Ladder.of(wanted.isEmpty() ? RenditionSettings.AUTO : wanted, source);
        for (RenditionFormat each : ladder.renditions()) {
            video.add(track(each.width(), each.height(), each.bitrateBps(), source, encoder));
        }
        ObjectNode audio = json.putObject("audio_configurations");
        audio.putArray("live").add(audio(0));
        audio.putArray("vod").add(audio(1));
        return json;
    }

    private static ObjectNode track(
            int width, int height, int bitrateBps, Ladder.Source source, Encoder encoder) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("type", encoder.type);
        json.put("width", width);
        json.put("height", height);
        json.set("framerate", frameRate(source.frameRate()));
        json.put("canvas_index", 0);
        json.put("gpu_scale_type", "OBS_SCALE_BICUBIC");
        json.put("colorspace", "VIDEO_CS_709");
        json.put("range", "VIDEO_RANGE_PARTIAL");
        json.put("format", "VIDEO_FORMAT_NV12");
        ObjectNode settings = json.putObject("settings");
        settings.put("rate_control", "CBR");
        settings.put("bitrate", bitrateBps / BPS_PER_KBPS);
        settings.put("keyint_sec", KEY_FRAME_INTERVAL_S);
        settings.put("profile", "high");
        settings.put("bf", 0);
        switch (encoder) {
            case X264 -> settings.put("preset", "veryfast").put("x264opts", "bframes=0 scenecut=0");
            case NVENC ->
                    settings.put("preset", "p5")
                            .put("tune", "hq")
                            .put("multipass", "qres")
                            .put("lookahead", false)
                            .put("adaptive_quantization", true);
        }
        return json;
    }

    private static ObjectNode frameRate(double rate) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        long whole = Math.max(1, Math.round(rate));
        double ntsc = whole * (double) BPS_PER_KBPS / NTSC_DENOMINATOR;
        boolean isNtsc = Math.abs(rate - ntsc) < NTSC_TOLERANCE && rate != whole;
        json.put("numerator", isNtsc ? whole * BPS_PER_KBPS : whole);
        json.put("denominator", isNtsc ? NTSC_DENOMINATOR : 1);
        return json;
    }

    private static ObjectNode audio(int track) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("codec", "aac").put("track_id", track).put("channels", CHANNELS);
        json.putObject("settings").put("bitrate", AUDIO_KBPS);
        return json;
    }
}
