package touchline.packager.thumbnail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.hls.CountedMemory;
import touchline.packager.hls.MediaBody;

final class MappedMediaTest {
    private final CountedMemory memory = new CountedMemory();

    @TempDir Path folder;

    private Path file;

    @BeforeEach
    void write() throws Exception {
        file = Files.writeString(folder.resolve("media"), "0123456789");
    }

    @AfterEach
    void nothingIsHeld() {
        assertEquals(0, memory.liveBlocks());
    }

    private MediaBody.Blocks blocks(String... texts) {
        return new MediaBody.Blocks(
                Stream.of(texts)
                        .map(text -> memory.copy(text.getBytes(StandardCharsets.UTF_8)))
                        .toList());
    }

    private MediaBody.FileRange range(long offset, long size) {
        return new MediaBody.FileRange(file, offset, size);
    }

    private static List<String> texts(MappedMedia media) {
        return media.pieces().stream()
                .map(
                        piece ->
                                new String(
                                        piece.toArray(ValueLayout.JAVA_BYTE),
                                        StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void open_blocks_areTheirBytes() throws Exception {
        try (MappedMedia media = MappedMedia.open(blocks("ab", "c"))) {
            assertEquals(List.of("ab", "c"), texts(media));
        }
    }

    @Test
    void open_partlyStored_isTheFileThenTheRest() throws Exception {
        try (MappedMedia media =
                MappedMedia.open(new MediaBody.PartlyStored(range(8, 2), blocks("ab")))) {
            assertEquals(List.of("89", "ab"), texts(media));
        }
    }

    @Test
    void open_severalFiles_keepTheirOrder() throws Exception {
        try (MappedMedia media =
                MappedMedia.open(new MediaBody.FileSequence(List.of(range(4, 2), range(0, 3))))) {
            assertEquals(List.of("45", "012"), texts(media));
        }
    }

    @Test
    void close_endsTheMapping() throws Exception {
        MappedMedia media = MappedMedia.open(range(1, 3));
        MemorySegment piece = media.pieces().getFirst();

        media.close();

        assertThrows(IllegalStateException.class, () -> piece.get(ValueLayout.JAVA_BYTE, 0));
    }

    /** Reading a mapping beyond the file's end would crash the process. */
    @Test
    void open_fileThatIsShorter_isRefused_andTheBodyIsClosed() {
        MediaBody body = new MediaBody.PartlyStored(range(5, 6), blocks("ab"));

        var refused = assertThrows(EOFException.class, () -> MappedMedia.open(body));

        assertEquals("stored media ends at 10", refused.getMessage());
    }

    @Test
    void open_mediaOfAnotherServer_isRefused() {
        MediaBody body =
                new MediaBody.Fetched(3, (_, _) -> CompletableFuture.completedStage(blocks("abc")));

        var refused = assertThrows(IOException.class, () -> MappedMedia.open(body));

        assertEquals("media of another server cannot be mapped", refused.getMessage());
    }
}
