package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.FileRegion;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.hls.MediaBody;

class ResponseBodyTest {
    private static final ByteBufAllocator COPIES = UnpooledByteBufAllocator.DEFAULT;
    private static final ResponseBody.Source SOURCE =
            new ResponseBody.Source(new OpenFiles(() -> 0), COPIES);

    private final NettyMediaMemory memory = new NettyMediaMemory();
    private final byte[] bytes = new byte[200_000];

    @TempDir Path folder;

    ResponseBodyTest() {
        new Random(1).nextBytes(bytes);
    }

    private static byte[] drain(ResponseBody body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (body.leftBytes() > 0) {
            assertTrue(body.isReady(ImmediateEventExecutor.INSTANCE, () -> {}));
            Object piece = body.next(COPIES);
            if (piece instanceof FileRegion region) {
                while (region.transferred() < region.count()) {
                    region.transferTo(Channels.newChannel(out), region.transferred());
                }
                region.release();
            } else {
                ByteBuf buffer = (ByteBuf) piece;
                buffer.readBytes(out, buffer.readableBytes());
                buffer.release();
            }
        }
        body.close();
        return out.toByteArray();
    }

    @Test
    void open_anySliceOfBlocks_isExactAndGivesAllBack() throws IOException {
        for (BodyChunks pieces : BodyChunks.values()) {
            for (int first : new int[] {0, 1, 99, 100, 101, 100_000, 199_999}) {
                for (int last : new int[] {99, 100, 100_000, 199_999}) {
                    if (last < first) {
                        continue;
                    }
                    FakePlayback session =
                            new FakePlayback("s", memory)
                                    .blocks(
                                            "s1",
                                            Arrays.copyOfRange(bytes, 0, 100),
                                            Arrays.copyOfRange(bytes, 100, 100_100),
                                            new byte[0],
                                            Arrays.copyOfRange(bytes, 100_100, 200_000));
                    ResponseBody body =
                            ResponseBody.open(
                                    session.segment(1).orElseThrow(),
                                    first,
                                    last - first + 1,
                                    pieces,
                                    SOURCE);
                    assertArrayEquals(Arrays.copyOfRange(bytes, first, last + 1), drain(body));
                    session.close();
                    assertEquals(0, memory.usedBytes());
                }
            }
        }
    }

    @Test
    void close_halfWay_givesTheRestBack() throws IOException {
        for (BodyChunks pieces : BodyChunks.values()) {
            FakePlayback session =
                    new FakePlayback("s", memory)
                            .blocks("s1", new byte[100_000], new byte[100_000]);
            Optional<MediaBody> media = session.segment(1);
            session.close();
            ResponseBody body = ResponseBody.open(media.orElseThrow(), 0, 200_000, pieces, SOURCE);
            ((ByteBuf) body.next(COPIES)).release();
            body.close();
            assertEquals(0, memory.usedBytes());
        }
    }

    @Test
    void open_file_isARegionOrPiecesOfIt() throws IOException {
        Path file = Files.write(folder.resolve("f"), bytes);
        byte[] expected = Arrays.copyOfRange(bytes, 1010, 181_010);
        MediaBody range = new MediaBody.FileRange(file, 1000, 190_000);
        ResponseBody region = ResponseBody.open(range, 10, 180_000, BodyChunks.WHOLE, SOURCE);
        assertArrayEquals(expected, drain(region));
        ResponseBody some = ResponseBody.open(range, 10, 180_000, BodyChunks.ENCRYPTED, SOURCE);
        assertArrayEquals(expected, drain(some));
        ResponseBody first = ResponseBody.open(range, 0, 1, BodyChunks.WHOLE, SOURCE);
        assertInstanceOf(FileRegion.class, first.next(COPIES)).release();
        first.close();
    }

    @Test
    void open_anySliceOfSeveralFiles_isExact() throws IOException {
        Path one = Files.write(folder.resolve("1"), Arrays.copyOfRange(bytes, 0, 100));
        Path two = Files.write(folder.resolve("2"), Arrays.copyOfRange(bytes, 50, 100_100));
        Path three = Files.write(folder.resolve("3"), Arrays.copyOfRange(bytes, 100_100, 200_000));
        MediaBody several =
                new MediaBody.FileSequence(
                        List.of(
                                new MediaBody.FileRange(one, 0, 100),
                                new MediaBody.FileRange(two, 50, 100_000),
                                new MediaBody.FileRange(two, 7, 0),
                                new MediaBody.FileRange(three, 0, 99_900)));
        assertEquals(200_000, several.sizeBytes());
        int[] edges = {0, 1, 99, 100, 101, 70_000, 100_099, 100_100, 100_101, 199_999};
        for (BodyChunks pieces : BodyChunks.values()) {
            for (int first : edges) {
                for (int last : edges) {
                    if (first <= last) {
                        ResponseBody body =
                                ResponseBody.open(several, first, last - first + 1, pieces, SOURCE);
                        assertArrayEquals(Arrays.copyOfRange(bytes, first, last + 1), drain(body));
                    }
                }
            }
        }
    }

    @Test
    void open_anySliceOfAFileAndBlocks_isExactAndGivesAllBack() throws IOException {
        Path file = Files.write(folder.resolve("f"), bytes);
        int[] edges = {0, 1, 99, 100, 101, 50_000, 100_099, 100_100, 199_999};
        for (BodyChunks pieces : BodyChunks.values()) {
            for (int first : edges) {
                for (int last : edges) {
                    if (last < first) {
                        continue;
                    }
                    FakePlayback session =
                            new FakePlayback("s", memory)
                                    .blocks(
                                            "s1",
                                            Arrays.copyOfRange(bytes, 100, 100_100),
                                            Arrays.copyOfRange(bytes, 100_100, 200_000));
                    MediaBody.Blocks rest = (MediaBody.Blocks) session.segment(1).orElseThrow();
                    MediaBody both =
                            new MediaBody.PartlyStored(new MediaBody.FileRange(file, 0, 100), rest);
                    ResponseBody body =
                            ResponseBody.open(both, first, last - first + 1, pieces, SOURCE);
                    assertEquals(last < 100, body.isStored());
                    assertArrayEquals(Arrays.copyOfRange(bytes, first, last + 1), drain(body));
                    session.close();
                    assertEquals(0, memory.usedBytes());
                }
            }
        }
    }

    @Test
    void open_fileGone_givesTheBlocksBack() throws IOException {
        FakePlayback session = new FakePlayback("s", memory).blocks("s1", new byte[100]);
        MediaBody both =
                new MediaBody.PartlyStored(
                        new MediaBody.FileRange(folder.resolve("g"), 0, 10),
                        (MediaBody.Blocks) session.segment(1).orElseThrow());
        session.close();
        assertThrows(
                NoSuchFileException.class,
                () -> ResponseBody.open(both, 0, 110, BodyChunks.WHOLE, SOURCE));
        assertEquals(0, memory.usedBytes());
    }

    /** What is open goes on; what comes behind it is gone. */
    @Test
    void next_fileDeletedMeanwhile_endsBehindTheOneThatIsOpen() throws IOException {
        Path one = Files.write(folder.resolve("1"), bytes);
        Path two = Files.write(folder.resolve("2"), bytes);
        MediaBody several =
                new MediaBody.FileSequence(
                        List.of(
                                new MediaBody.FileRange(one, 0, 10_000),
                                new MediaBody.FileRange(two, 0, 10_000)));
        ResponseBody body = ResponseBody.open(several, 0, 20_000, BodyChunks.FRAMED, SOURCE);
        Files.delete(one);
        Files.delete(two);

        ByteBuf piece = (ByteBuf) body.next(COPIES);
        assertEquals(10_000, piece.readableBytes());
        piece.release();
        assertEquals(10_000, body.leftBytes());
        assertThrows(NoSuchFileException.class, () -> body.next(COPIES));
        body.close();
    }

    /** Files that come while the ones before them are sent. */
    private final class Arrivals implements MediaBody.FileSequence.Arrival {
        final List<Path> asked = new ArrayList<>();
        private final Map<Path, CompletableFuture<Path>> coming = new HashMap<>();

        @Override
        public CompletableFuture<Path> of(Path file) {
            if (!asked.contains(file)) {
                asked.add(file);
            }
            return coming.computeIfAbsent(file, _ -> new CompletableFuture<>());
        }

        void come(Path file) throws IOException {
            Files.write(file, Arrays.copyOf(bytes, 10_000));
            of(file).complete(file);
        }
    }

    private MediaBody.FileSequence arriving(Arrivals arrivals, List<Path> files) {
        return new MediaBody.FileSequence(
                files.stream().map(file -> new MediaBody.FileRange(file, 0, 10_000)).toList(),
                arrivals);
    }

    private List<Path> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> folder.resolve("a" + i)).toList();
    }

    @Test
    void isReady_filesThatCome_eachWhenItIsThere_twoAreAskedForAhead() throws IOException {
        Arrivals arrivals = new Arrivals();
        List<Path> files = names(5);
        ResponseBody body =
                ResponseBody.open(
                        arriving(arrivals, files), 10_001, 35_000, BodyChunks.FRAMED, SOURCE);
        AtomicInteger resumed = new AtomicInteger();
        assertFalse(body.isReady(ImmediateEventExecutor.INSTANCE, resumed::incrementAndGet));
        assertFalse(body.isReady(ImmediateEventExecutor.INSTANCE, resumed::incrementAndGet));
        assertEquals(files.subList(1, 2), arrivals.asked, "the first byte is in the second file");

        arrivals.come(files.get(1));
        assertEquals(1, resumed.get());
        assertTrue(body.isReady(ImmediateEventExecutor.INSTANCE, resumed::incrementAndGet));
        ((ByteBuf) body.next(COPIES)).release();
        assertEquals(files.subList(1, 4), arrivals.asked);
        for (Path each : files.subList(2, 5)) {
            arrivals.come(each);
        }

        assertEquals(35_000 - 9_999, drain(body).length);
        assertEquals(files.subList(1, 5), arrivals.asked);
    }

    @Test
    void next_fileThatDoesNotCome_failsWhenItIsItsTurn() throws IOException {
        Arrivals arrivals = new Arrivals();
        List<Path> files = names(2);
        ResponseBody body =
                ResponseBody.open(arriving(arrivals, files), 0, 20_000, BodyChunks.WHOLE, SOURCE);
        arrivals.come(files.getFirst());
        arrivals.of(files.getLast()).completeExceptionally(new IOException("S3 is away"));
        AtomicInteger resumed = new AtomicInteger();

        assertTrue(body.isReady(ImmediateEventExecutor.INSTANCE, resumed::incrementAndGet));
        ((FileRegion) body.next(COPIES)).release();
        assertTrue(body.isReady(ImmediateEventExecutor.INSTANCE, resumed::incrementAndGet));
        IOException failure = assertThrows(IOException.class, () -> body.next(COPIES));
        assertEquals("S3 is away", Objects.requireNonNull(failure.getCause()).getMessage());
        body.close();
        assertEquals(0, resumed.get());
    }

    @Test
    void close_whileAFileComes_resumesNothing() throws IOException {
        Arrivals arrivals = new Arrivals();
        List<Path> files = names(1);
        ResponseBody body =
                ResponseBody.open(arriving(arrivals, files), 0, 10_000, BodyChunks.WHOLE, SOURCE);
        AtomicInteger resumed = new AtomicInteger();
        assertFalse(body.isReady(ImmediateEventExecutor.INSTANCE, resumed::incrementAndGet));
        body.close();

        arrivals.come(files.getFirst());

        assertEquals(0, resumed.get());
    }

    @Test
    void open_fileGoneOrTooShort_saysSo() throws IOException {
        Path file = Files.write(folder.resolve("f"), bytes);
        assertThrows(
                NoSuchFileException.class,
                () ->
                        ResponseBody.open(
                                new MediaBody.FileRange(folder.resolve("g"), 0, 1),
                                0,
                                1,
                                BodyChunks.WHOLE,
                                SOURCE));
        assertThrows(
                EOFException.class,
                () ->
                        ResponseBody.open(
                                new MediaBody.FileRange(file, 199_999, 2),
                                0,
                                2,
                                BodyChunks.WHOLE,
                                SOURCE));
    }
}
