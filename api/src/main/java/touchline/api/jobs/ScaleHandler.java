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
import touchline.packager.clip.UniformCopy;
import touchline.packager.record.Recording;

/**
 * Job kind {@value #KIND}: a recording with smaller frames, or in one format. {@code {"source":
 * FOLDER, "result": FOLDER, "shorter_side": PIXELS, "one_format": BOOLEAN, "encoder": NAME,
 * "threads": N}} in; its duration in microseconds out.
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
            Path result = Path.of(body.path("result").asText());
            Recording recording = Recording.load(source);
            Recording made =
                    body.path("one_format").asBoolean()
                            ? new UniformCopy(recording, source, settings, progress::at)
                                    .write(result)
                            : new ScaledCopy(recording, source, settings, progress::at)
                                    .write(result);
            return JsonNodeFactory.instance.objectNode().put("duration_us", made.durationUs());
        } catch (MalformedMediaException e) {
            throw new WorkerJobException(
                    WorkerJobException.INVALID_INPUT, "invalid frames: " + e.getMessage());
        } catch (IOException e) {
            throw new WorkerJobException(WorkerJobException.INTERNAL, "files: " + e.getMessage());
        }
    }
}
