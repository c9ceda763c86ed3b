package touchline.api.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.worker.WorkerJobException;

final class ProbeHandlerTest {
    @TempDir private Path folder;

    @Test
    void handle_mp4_returnsContainerSizeAndStreams() throws Exception {
        Path file = EncodedMedia.mp4(folder.resolve("match.mp4"));

        JsonNode json = probe(file);

        assertTrue(json.path("container").asText().contains("mp4"), json::toString);
        assertEquals(Files.size(file), json.path("size").asLong());
        assertEquals(2.0, json.path("duration").asDouble(), 0.05);
        JsonNode video = json.path("streams").path(0);
        assertEquals("video", video.path("type").asText());
        assertEquals("h264", video.path("codec").asText());
        assertEquals(EncodedMedia.WIDTH, video.path("width").asInt());
        assertEquals(EncodedMedia.HEIGHT, video.path("height").asInt());
        assertEquals(EncodedMedia.FRAMES_PER_SECOND, video.path("frame_rate").asDouble(), 0.01);
        assertEquals(0, video.path("rotation").asInt(-1));
        JsonNode audio = json.path("streams").path(1);
        assertEquals("audio", audio.path("type").asText());
        assertEquals("aac", audio.path("codec").asText());
        assertEquals(44_100, audio.path("sample_rate").asInt());
        assertEquals(2, audio.path("channels").asInt());
        assertTrue(audio.path("bitrate").asLong() > 0, json::toString);
    }

    @Test
    void handle_text_isInvalidInput() throws Exception {
        assertInvalid(Files.writeString(folder.resolve("page.mp4"), "<html></html>"));
    }

    /** The message names no path of this host. */
    @Test
    void handle_missingFile_isInvalidInputWithoutItsPath() {
        String message = assertInvalid(folder.resolve("absent.mp4"));

        assertEquals("invalid input file: it cannot be read", message);
    }

    private static String assertInvalid(Path file) {
        WorkerJobException failure = assertThrows(WorkerJobException.class, () -> probe(file));
        String message = String.valueOf(failure.getMessage());

        assertEquals(WorkerJobException.INVALID_INPUT, failure.code());
        assertTrue(message.startsWith("invalid input file: "), message);
        return message;
    }

    private static JsonNode probe(Path file) throws WorkerJobException {
        return new ProbeHandler()
                .handle(
                        JsonNodeFactory.instance.objectNode().put("file", file.toString()),
                        _ -> {});
    }
}
