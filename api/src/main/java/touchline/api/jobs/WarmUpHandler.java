package touchline.api.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.worker.WorkerHandler;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerProgress;
import touchline.packager.clip.GopFile;

/**
 * Job kind {@value #KIND}: encodes a few small frames as {@link RecodeHandler} does for a clip, so
 * that classes and libraries are loaded. {@code {"encoder": NAME}} in, nothing out.
 */
public final class WarmUpHandler implements WorkerHandler {
    public static final String KIND = "warm-up";

    private static final FrameFormat FORMAT = new FrameFormat(320, 180, Colour.BT709);
    private static final FrameRate RATE = new FrameRate(25, 1);
    private static final int FRAMES = 25;
    private static final int TICKS_PER_FRAME = 3_600;
    private static final int ROUNDS = 4;

    @Override
    public JsonNode handle(JsonNode body, WorkerProgress progress)
            throws IOException, WorkerJobException {
        H264Encoder encoder = H264Encoder.valueOf(body.path("encoder").asText());
        Path folder = Files.createTempDirectory("warm-up");
        Path group = folder.resolve("group.mp4");
        Path result = folder.resolve("edge.mp4");
        try {
            gop(encoder).write(group);
            ObjectNode recode =
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("group", group.toString())
                            .put("result", result.toString())
                            .put("from", FRAMES / 2 * TICKS_PER_FRAME)
                            .put("to", FRAMES * TICKS_PER_FRAME)
                            .put("parameter_set_id", 1)
                            .put("encoder", encoder.name());
            recode.putArray("frame_rate").add(RATE.numerator()).add(RATE.denominator());
            RecodeHandler clips = new RecodeHandler();
            for (int i = 0; i < ROUNDS; i++) {
                JsonNode _ = clips.handle(recode, progress);
                GopFile _ = GopFile.read(result);
            }
            return JsonNodeFactory.instance.objectNode();
        } finally {
            Files.deleteIfExists(group);
            Files.deleteIfExists(result);
            Files.deleteIfExists(folder);
        }
    }

    private static GopFile gop(H264Encoder encoder) {
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder source = VideoEncoder.open(VideoSettings.live(FORMAT, RATE, encoder))) {
            for (int i = 0; i < FRAMES; i++) {
                try (VideoFrame frame = VideoFrame.allocate(FORMAT)) {
                    frame.ptsTicks((long) i * TICKS_PER_FRAME);
                    draw(frame, i);
                    units.addAll(source.encode(frame, /* forceKeyFrame= */ i == 0));
                }
            }
            units.addAll(source.finish());
            return new GopFile(source.track(), units);
        }
    }

    /** Shades that move: each frame has something to encode. */
    private static void draw(VideoFrame frame, int number) {
        for (FrameView.Plane plane : frame.planes()) {
            MemorySegment samples = plane.samples();
            for (long at = 0; at < samples.byteSize(); at++) {
                samples.set(ValueLayout.JAVA_BYTE, at, (byte) (at / 7 + number * 5L));
            }
        }
    }
}
