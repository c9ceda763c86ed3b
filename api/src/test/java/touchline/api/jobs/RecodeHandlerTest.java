package touchline.api.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.worker.WorkerJobException;
import touchline.packager.clip.GopFile;

final class RecodeHandlerTest {
    private static final long FRAME_TICKS = 90_000 / EncodedMedia.FRAMES_PER_SECOND;

    @TempDir private Path folder;

    @Test
    void handle_partOfAGop_isEncodedFromAKeyFrameOn() throws Exception {
        List<AccessUnit> gop = EncodedMedia.VIDEO.subList(0, EncodedMedia.FRAMES_PER_SECOND);
        new GopFile(gop.getFirst().track(), gop).write(folder.resolve("group"));

        JsonNode reply = recode();

        assertEquals(5, reply.path("frames").asInt());
        List<AccessUnit> made = GopFile.read(folder.resolve("result")).units();
        assertEquals(5, made.size());
        assertTrue(made.getFirst().idr());
        assertEquals(
                List.of(10L, 11L, 12L, 13L, 14L),
                made.stream().map(unit -> unit.ptsTicks() / FRAME_TICKS).toList());
    }

    @Test
    void handle_bytesThatAreNoFrames_isInvalidInput() throws Exception {
        Files.write(folder.resolve("group"), new byte[200]);

        WorkerJobException failure = assertThrows(WorkerJobException.class, this::recode);

        assertEquals(WorkerJobException.INVALID_INPUT, failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith("invalid frames: "));
        assertFalse(Files.exists(folder.resolve("result")));
    }

    @Test
    void handle_missingFile_isAFailureOfThisServer() {
        WorkerJobException failure = assertThrows(WorkerJobException.class, this::recode);

        assertEquals(WorkerJobException.INTERNAL, failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith("group file: "));
    }

    private JsonNode recode() throws WorkerJobException {
        ObjectNode body =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("group", folder.resolve("group").toString())
                        .put("result", folder.resolve("result").toString())
                        .put("from", 10 * FRAME_TICKS)
                        .put("to", 15 * FRAME_TICKS)
                        .put("parameter_set_id", 1)
                        .put("encoder", TestMedia.encoder().name());
        body.putArray("frame_rate").add(EncodedMedia.FRAMES_PER_SECOND).add(1);
        return new RecodeHandler().handle(body, _ -> {});
    }
}
