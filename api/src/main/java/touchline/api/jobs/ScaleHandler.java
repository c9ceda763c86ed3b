package touchline.api.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Path;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.worker.WorkerHandler;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerProgress;
import touchline.packager.clip.ScaledCopy;
import touchline.packager.record.Recording;

/**
 * Job kind {@value #KIND}: a recording with smaller frames. {@code {"source": FOLDER, "result":
 * FOLDER, "shorter_side": PIXELS, "encoder": NAME, "threads": N}} in; its duration in microseconds
 * out.
 */
public final class ScaleHandler implements WorkerHandler {
    public static final String KIND = "scale";

    @Override
    public JsonNode handle(JsonNode body, WorkerProgress progress) throws WorkerJobException {
        Path source = Path.of(body.path("source").asText());
        ScaledCopy.Settings settings =
                new ScaledCopy.Settings(
                        body.path("shorter_side").asInt(),
                        H264Encoder.valueOf(body.path("encoder").asText()),
                        body.path("threads").asInt());
        try {
            Recording made =
                    new ScaledCopy(Recording.load(source), source, settings, progress::at)
                            .write(Path.of(body.path("result").asText()));
            return JsonNodeFactory.instance.objectNode().put("duration_us", made.durationUs());
        } catch (MalformedMediaException e) {
            throw new WorkerJobException(
                    WorkerJobException.INVALID_INPUT, "invalid frames: " + e.getMessage());
        } catch (IOException e) {
            throw new WorkerJobException(WorkerJobException.INTERNAL, "files: " + e.getMessage());
        }
    }
}
