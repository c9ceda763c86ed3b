package touchline.api.vod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.TaskError;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.file.SeekableBytes;
import touchline.media.file.UnsupportedMediaException;
import touchline.media.transcode.FileEncoding;
import touchline.media.transcode.FileFormat;
import touchline.media.transcode.FileTranscoder;
import touchline.media.transcode.TranscodeRequest;
import touchline.media.transcode.TranscodeResult;
import touchline.media.worker.WorkerHandler;
import touchline.media.worker.WorkerJobException;
import touchline.media.worker.WorkerProgress;

/**
 * Job kind {@value #KIND} of the worker process. Its input is {@code {"file": PATH}} or {@code
 * {"recording": FOLDER}}, with the output {@code "folder"}, the request and the encoding. Its
 * result is the duration and notes.
 */
public final class TranscodeHandler implements WorkerHandler {
    public static final String KIND = "transcode";

    private static final Logger log = LoggerFactory.getLogger(TranscodeHandler.class);

    private static final int OUT_OF_MEMORY = -12;
    private static final int NO_SPACE = -28;
    private static final int FILE_TOO_LARGE = -27;
    private static final int QUOTA = -122;

    /** The job as the server sends it. */
    static ObjectNode body(TranscodeRequest request, FileEncoding encoding, Path folder) {
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("folder", folder.toString())
                        .put("format", request.format().name())
                        .put("encoder", encoding.encoder().name())
                        .put("speed", encoding.speed().name())
                        .put("threads", encoding.threads());
        request.heights().forEach(json.withArray("/heights")::add);
        json.put("renditions", request.renditions());
        request.videoBitrateBps().ifPresent(bps -> json.put("video_bps", bps));
        request.audioBitrateBps().ifPresent(bps -> json.put("audio_bps", bps));
        return json;
    }

    @Override
    public JsonNode handle(JsonNode body, WorkerProgress progress) throws WorkerJobException {
        try (SeekableBytes input = input(body)) {
            TranscodeResult result =
                    FileTranscoder.transcode(
                            input,
                            Path.of(body.path("folder").asText()),
                            request(body),
                            new FileEncoding(
                                    H264Encoder.valueOf(body.path("encoder").asText()),
                                    VideoSettings.Speed.valueOf(body.path("speed").asText()),
                                    body.path("threads").asInt()),
                            progress::at);
            ObjectNode reply =
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("duration_us", result.durationUs())
                            .put("copied", result.copied());
            result.notes().forEach(reply.putArray("notes")::add);
            return reply;
        } catch (MalformedMediaException e) {
            throw new WorkerJobException(
                    TaskError.INVALID_INPUT, "invalid input file: " + e.getMessage());
        } catch (UnsupportedMediaException e) {
            throw new WorkerJobException(
                    TaskError.UNSUPPORTED_CODEC, "not supported: " + e.getMessage());
        } catch (FfmpegException e) {
            throw failed(e);
        } catch (UncheckedIOException e) {
            throw failed(
                    Objects.requireNonNull(e.getCause()), Path.of(body.path("folder").asText()));
        } catch (IOException e) {
            throw failed(e, Path.of(body.path("folder").asText()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WorkerJobException(TaskError.CANCELED, "interrupted");
        }
    }

    private static SeekableBytes input(JsonNode body) throws WorkerJobException {
        try {
            return body.has("recording")
                    ? RecordingBytes.open(Path.of(body.path("recording").asText()))
                    : SeekableBytes.open(Path.of(body.path("file").asText()));
        } catch (NoSuchFileException e) {
            log.warn("input", e);
            throw new WorkerJobException(TaskError.INPUT_UNREACHABLE, "the input was deleted");
        } catch (IOException e) {
            log.warn("input", e);
            throw new WorkerJobException(
                    WorkerJobException.INTERNAL, "the input cannot be read: an error of the disk");
        }
    }

    private static TranscodeRequest request(JsonNode body) {
        List<Integer> heights = new ArrayList<>();
        body.path("heights").forEach(height -> heights.add(height.asInt()));
        return new TranscodeRequest(
                FileFormat.valueOf(body.path("format").asText()),
                heights,
                bps(body.path("video_bps")),
                bps(body.path("audio_bps")),
                body.path("renditions").asBoolean());
    }

    private static OptionalInt bps(JsonNode value) {
        return value.isMissingNode() ? OptionalInt.empty() : OptionalInt.of(value.asInt());
    }

    /** The client sees no paths: the cause goes to the log. */
    private static WorkerJobException failed(IOException e, Path folder) {
        log.warn("files cannot be read or written", e);
        return DiskFailure.isFull(e, folder, /* minFreeBytes= */ 0)
                ? new WorkerJobException(TaskError.OUT_OF_RESOURCES, "not enough disk space")
                : new WorkerJobException(
                        WorkerJobException.INTERNAL,
                        "files cannot be read or written: an error of this server's disk");
    }

    private static WorkerJobException failed(FfmpegException e) {
        log.warn("encoding failed", e);
        return switch (e.code()) {
            case OUT_OF_MEMORY ->
                    new WorkerJobException(TaskError.OUT_OF_RESOURCES, "not enough memory");
            case NO_SPACE, FILE_TOO_LARGE, QUOTA ->
                    new WorkerJobException(TaskError.OUT_OF_RESOURCES, "not enough disk space");
            default ->
                    new WorkerJobException(
                            WorkerJobException.INTERNAL, "encoding failed: " + e.getMessage());
        };
    }
}
