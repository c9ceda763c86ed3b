package touchline.api.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.worker.WorkerJobException;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredPlayback;

final class ScaleHandlerTest {
    @TempDir private Path root;

    private final List<Double> progress = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"false, 120", "true, 240"})
    void handle_recording_isCopiedInTheSizeAskedFor(boolean oneFormat, int shorterSide)
            throws Exception {
        Recording source = EncodedMedia.record(root.resolve("source"));

        JsonNode reply = scale(shorterSide, oneFormat);

        Path folder = root.resolve("result");
        Recording copy = Recording.load(folder);
        assertEquals(copy.durationUs(), reply.path("duration_us").asLong());
        assertEquals(source.durationUs(), copy.durationUs(), 50_000);
        assertEquals(shorterSide, StoredPlayback.shorterSide(copy, folder));
        assertEquals(1, progress.getLast());
    }

    @Test
    void handle_mediaThatIsNone_isInvalidInput() throws Exception {
        Recording source = EncodedMedia.record(root.resolve("source"));
        for (Recording.Init init : source.inits()) {
            Files.write(root.resolve("source").resolve(init.fileName()), new byte[300]);
        }

        WorkerJobException failure =
                assertThrows(WorkerJobException.class, () -> scale(120, /* oneFormat= */ false));

        assertEquals(WorkerJobException.INVALID_INPUT, failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith("invalid frames: "));
    }

    @Test
    void handle_missingSource_isAFailureOfThisServer() {
        WorkerJobException failure =
                assertThrows(WorkerJobException.class, () -> scale(120, /* oneFormat= */ true));

        assertEquals(WorkerJobException.INTERNAL, failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith("files: "));
        assertFalse(Files.exists(root.resolve("result")));
    }

    private JsonNode scale(int shorterSide, boolean oneFormat) throws WorkerJobException {
        return new ScaleHandler()
                .handle(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("source", root.resolve("source").toString())
                                .put("result", root.resolve("result").toString())
                                .put("shorter_side", shorterSide)
                                .put("one_format", oneFormat)
                                .put("encoder", TestMedia.encoder().name())
                                .put("threads", 1),
                        progress::add);
    }
}
