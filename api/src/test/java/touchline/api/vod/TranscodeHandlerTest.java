package touchline.api.vod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.TaskError;
import touchline.api.jobs.EncodedMedia;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.file.MediaInfo;
import touchline.media.file.MediaProbe;
import touchline.media.transcode.FileEncoding;
import touchline.media.transcode.FileFormat;
import touchline.media.transcode.TranscodeRequest;
import touchline.media.worker.WorkerJobException;

/** The job, in this process; files of 320x240 with two seconds. */
final class TranscodeHandlerTest {
    private static final FileEncoding ENCODING =
            new FileEncoding(TestMedia.encoder(), VideoSettings.Speed.ULTRAFAST, /* threads= */ 1);
    private static final TranscodeRequest SAME = TranscodeRequest.of(FileFormat.MP4);

    @TempDir private Path root;
    private Path out;
    private final List<Double> progress = new ArrayList<>();

    @BeforeEach
    void makeFolder() throws Exception {
        out = Files.createDirectory(root.resolve("out"));
    }

    @Test
    void handle_smallerHeight_isEncodedWithinItsBitrates() throws Exception {
        Path input = EncodedMedia.mp4(root.resolve("in.mp4"));
        TranscodeRequest request =
                new TranscodeRequest(
                        FileFormat.MP4,
                        List.of(120),
                        OptionalInt.of(100_000),
                        OptionalInt.of(64_000));

        JsonNode reply = handle(body(request).put("file", input.toString()));

        assertEquals(2.0, reply.path("duration_us").asLong() / 1e6, 0.1);
        assertFalse(reply.path("copied").asBoolean(true));
        assertTrue(reply.path("notes").isArray(), reply::toString);
        MediaInfo made = made();
        assertEquals(120, made.video().orElseThrow().height());
        assertEquals(160, made.video().orElseThrow().width());
        assertEquals(64_000, made.audio().orElseThrow().bitrateBps(), 20_000);
        assertEquals(1, progress.getLast());
    }

    @Test
    void handle_recording_isCopiedAsOneFile() throws Exception {
        Path input = root.resolve("recording");
        EncodedMedia.record(input);

        JsonNode reply = handle(body(SAME).put("recording", input.toString()));

        assertTrue(reply.path("copied").asBoolean(), reply::toString);
        assertEquals(2.0, made().durationUs().orElseThrow() / 1e6, 0.1);
        assertEquals(EncodedMedia.HEIGHT, made().video().orElseThrow().height());
    }

    @Test
    void input_deletedMeanwhile_isUnreachable() {
        for (String kind : List.of("file", "recording")) {
            assertFails(
                    TaskError.INPUT_UNREACHABLE,
                    "the input was deleted",
                    body(SAME).put(kind, root.resolve("absent").toString()));
        }
    }

    @Test
    void input_thatTheDiskDoesNotGive_isAFailureOfThisServer() throws Exception {
        Files.createDirectories(root.resolve("broken/index"));

        assertFails(
                WorkerJobException.INTERNAL,
                "the input cannot be read: an error of the disk",
                body(SAME).put("recording", root.resolve("broken").toString()));
    }

    @Test
    void input_thatIsNoMedia_isInvalid() throws Exception {
        Path page = Files.writeString(root.resolve("page"), "<html></html>");

        WorkerJobException failure = failure(body(SAME).put("file", page.toString()));

        assertEquals(TaskError.INVALID_INPUT, failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith("invalid input file: "));
    }

    /** A sample entry that no decoder knows. */
    @Test
    void input_ofAnotherCodec_isUnsupported() throws Exception {
        Path input = EncodedMedia.mp4(root.resolve("in.mp4"));
        String bytes = Files.readString(input, StandardCharsets.ISO_8859_1);
        Files.writeString(input, bytes.replace("avc1", "zzzz"), StandardCharsets.ISO_8859_1);

        WorkerJobException failure = failure(body(SAME).put("file", input.toString()));

        assertEquals(TaskError.UNSUPPORTED_CODEC, failure.code(), failure::getMessage);
        assertTrue(String.valueOf(failure.getMessage()).startsWith("not supported: "));
    }

    /** The client sees no paths. */
    @Test
    void output_thatCannotBeWritten_isAFailureOfThisServer() throws Exception {
        Path input = EncodedMedia.mp4(root.resolve("in.mp4"));
        Files.delete(out);
        Files.createFile(out);

        assertFails(
                WorkerJobException.INTERNAL,
                "files cannot be read or written: an error of this server's disk",
                body(TranscodeRequest.of(FileFormat.HLS)).put("file", input.toString()));
    }

    @Test
    void encoder_thatCannotOpenItsOutput_isAFailureOfThisServer() throws Exception {
        Path input = EncodedMedia.mp4(root.resolve("in.mp4"));
        Files.delete(out);

        assertFails(
                WorkerJobException.INTERNAL,
                "encoding failed: avio_open2: No such file or directory (-2)",
                body(SAME).put("file", input.toString()));
    }

    /** Linux answers each write to this device with ENOSPC. */
    @Test
    void output_onAFullDisk_needsMoreSpace() throws Exception {
        Path input = EncodedMedia.mp4(root.resolve("in.mp4"));
        Files.createSymbolicLink(out.resolve(FileFormat.MP4.entryName()), Path.of("/dev/full"));

        assertFails(
                TaskError.OUT_OF_RESOURCES,
                "not enough disk space",
                body(SAME).put("file", input.toString()));
    }

    @Test
    void job_interrupted_isCanceled() {
        Path input = EncodedMedia.mp4(root.resolve("in.mp4"));
        ObjectNode body = body(SAME).put("file", input.toString());

        WorkerJobException failure =
                assertThrows(
                        WorkerJobException.class,
                        () ->
                                new TranscodeHandler()
                                        .handle(body, _ -> Thread.currentThread().interrupt()));

        assertTrue(Thread.interrupted(), "the interrupt is not seen by the worker");
        assertEquals(TaskError.CANCELED, failure.code(), failure::getMessage);
    }

    private void assertFails(int code, String message, ObjectNode body) {
        WorkerJobException failure = failure(body);

        assertEquals(message, failure.getMessage());
        assertEquals(code, failure.code());
    }

    private WorkerJobException failure(ObjectNode body) {
        return assertThrows(WorkerJobException.class, () -> handle(body));
    }

    private ObjectNode body(TranscodeRequest request) {
        return TranscodeHandler.body(request, ENCODING, out);
    }

    private JsonNode handle(ObjectNode body) throws WorkerJobException {
        return new TranscodeHandler().handle(body, progress::add);
    }

    private MediaInfo made() {
        return MediaProbe.probe(out.resolve(FileFormat.MP4.entryName()), MediaProbe.Limits.DEFAULT);
    }
}
