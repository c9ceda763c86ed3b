package touchline.api.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import touchline.media.codec.MalformedMediaException;
import touchline.media.file.MediaInfo;
import touchline.media.file.MediaProbe;
import touchline.media.worker.WorkerHandler;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerProgress;

/**
 * Job kind {@value #KIND}: what a local media file holds. {@code {"file": PATH}} in; container,
 * duration, size and streams out. A file that is none is error 1003.
 */
public final class ProbeHandler implements WorkerHandler {
    public static final String KIND = "probe";

    @Override
    public JsonNode handle(JsonNode body, WorkerProgress progress) throws WorkerJobException {
        Path file = Path.of(body.path("file").asText());
        try {
            return json(MediaProbe.probe(file, MediaProbe.Limits.DEFAULT));
        } catch (MalformedMediaException e) {
            throw new WorkerJobException(
                    WorkerJobException.INVALID_INPUT, "invalid input file: " + e.getMessage());
        } catch (UncheckedIOException _) {
            throw new WorkerJobException(
                    WorkerJobException.INVALID_INPUT, "invalid input file: it cannot be read");
        }
    }

    private static ObjectNode json(MediaInfo info) {
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("container", info.container())
                        .put("size", info.sizeBytes());
        info.durationUs().ifPresent(us -> json.put("duration", us / 1e6));
        ArrayNode streams = json.putArray("streams");
        info.streams().forEach(stream -> streams.add(json(stream)));
        return json;
    }

    private static ObjectNode json(MediaInfo.Stream stream) {
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("codec", stream.codec())
                        .put("bitrate", stream.bitrateBps());
        return switch (stream) {
            case MediaInfo.Video video ->
                    json.put("type", "video")
                            .put("width", video.width())
                            .put("height", video.height())
                            .put("frame_rate", video.framesPerSecond())
                            .put("rotation", video.rotationDegrees());
            case MediaInfo.Audio audio ->
                    json.put("type", "audio")
                            .put("sample_rate", audio.sampleRateHz())
                            .put("channels", audio.channels());
            case MediaInfo.Other _ -> json.put("type", "other");
        };
    }
}
