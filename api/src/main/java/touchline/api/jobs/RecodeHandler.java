package touchline.api.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Path;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.transcode.FrameReencoder;
import touchline.media.worker.WorkerHandler;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerProgress;
import touchline.packager.clip.GopFile;

/**
 * Job kind {@value #KIND}: encodes some frames of a GOP again. {@code {"group": PATH, "result":
 * PATH, "from": TICKS, "to": TICKS, "parameter_set_id": N, "frame_rate": [N, D], "encoder": NAME}}
 * in; the file {@code result} and how many frames it holds out.
 */
public final class RecodeHandler implements WorkerHandler {
    public static final String KIND = "recode";

    @Override
    public JsonNode handle(JsonNode body, WorkerProgress progress) throws WorkerJobException {
        try {
            GopFile group = GopFile.read(Path.of(body.path("group").asText()));
            FrameReencoder.Request request =
                    new FrameReencoder.Request(
                            body.path("from").asLong(),
                            body.path("to").asLong(),
                            body.path("parameter_set_id").asInt(),
                            H264Encoder.valueOf(body.path("encoder").asText()));
            JsonNode rate = body.path("frame_rate");
            FrameReencoder.Recoded recoded =
                    FrameReencoder.recode(
                            group.track(),
                            group.units(),
                            new FrameRate(rate.path(0).asInt(), rate.path(1).asInt()),
                            request);
            new GopFile(recoded.track(), recoded.units())
                    .write(Path.of(body.path("result").asText()));
            return JsonNodeFactory.instance.objectNode().put("frames", recoded.units().size());
        } catch (MalformedMediaException e) {
            throw new WorkerJobException(
                    WorkerJobException.INVALID_INPUT, "invalid frames: " + e.getMessage());
        } catch (IOException e) {
            throw new WorkerJobException(
                    WorkerJobException.INTERNAL, "group file: " + e.getMessage());
        }
    }
}
