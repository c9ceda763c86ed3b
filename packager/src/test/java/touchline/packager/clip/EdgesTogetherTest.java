package touchline.packager.clip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import touchline.media.ffmpeg.FrameRate;
import touchline.packager.clip.ClipCutter.Cut;
import touchline.packager.clip.ClipCutter.Source;

/**
 * Both edges of one range are encoded at the same time, and the clip is the same. Without reordered
 * frames a range would have no second edge.
 */
final class EdgesTogetherTest extends JoinedClips {
    private Cut cut(String name, Source source, GopReencoder encoder, int atOnce)
            throws IOException, InterruptedException {
        return new ClipCutter(encoder, atOnce)
                .join(List.of(part(source, 1_234, 9_876)), root.resolve(name), _ -> {});
    }

    private Map<String, byte[]> files(String name) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(root.resolve(name))) {
            for (Path file : all.toList()) {
                files.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private void assertSame(String expected, String actual) throws IOException {
        Map<String, byte[]> one = files(expected);
        Map<String, byte[]> other = files(actual);
        assertEquals(one.keySet(), other.keySet());
        one.forEach((name, bytes) -> assertArrayEquals(bytes, other.get(name), name));
    }

    /** An edge waits until the other one has begun. */
    private static GopReencoder meeting(CyclicBarrier both) {
        return edge -> {
            try {
                both.await(1, TimeUnit.MINUTES);
            } catch (BrokenBarrierException | TimeoutException e) {
                throw new AssertionError("one edge alone", e);
            }
            return ClipCutterTest.encode(edge);
        };
    }

    @Test
    void edgesOfOneRange_runTogether_andTheBytesAreThoseOfOneAfterTheOther() throws Exception {
        Source source = recorded("source", ClipCutterTest.REORDERED);
        Cut alone = cut("alone", source, ClipCutterTest::encode, 1);

        Cut together = cut("together", source, meeting(new CyclicBarrier(2)), 2);

        assertTrue(together.exact());
        assertEquals(alone, together);
        assertSame("alone", "together");
    }

    /** A joined source: edges share an id as long as their parameter sets are the same. */
    @Test
    void edgesOfAReel_withEqualParameterSets_runTogether() throws Exception {
        Source source = reel();
        Cut alone = cutReel("alone", source, ClipCutterTest::encode, 1);

        Cut together = cutReel("together", source, meeting(new CyclicBarrier(2)), 2);

        assertEquals(alone, together);
        assertSame("alone", "together");
    }

    /** The tail has other parameter sets than the head, so that it needs another id. */
    @Test
    void tailWithOtherParameterSets_isEncodedAgain_andTheBytesAreTheSame() throws Exception {
        Source source = reel();
        GopReencoder changing =
                edge ->
                        edge.fromPtsTicks() < 9 * 90_000
                                ? ClipCutterTest.encode(edge)
                                : ClipCutterTest.encode(edge, FrameRate.of(25));
        Cut alone = cutReel("alone", source, changing, 1);
        AtomicInteger calls = new AtomicInteger();

        Cut together =
                cutReel(
                        "together",
                        source,
                        edge -> {
                            calls.incrementAndGet();
                            return changing.encode(edge);
                        },
                        2);

        assertEquals(3, calls.get(), "head, tail, and the tail again");
        assertEquals(alone, together);
        assertSame("alone", "together");
    }

    @Test
    void withoutAnEncoder_theClipStartsAtTheKeyFrame() throws Exception {
        Source source = recorded("source", ClipCutterTest.REORDERED);
        Cut alone = cut("alone", source, _ -> Optional.empty(), 1);

        Cut together = cut("together", source, _ -> Optional.empty(), 2);

        assertEquals(alone, together);
        assertSame("alone", "together");
    }

    private Source reel() throws Exception {
        Source source = recorded("source", ClipCutterTest.REORDERED);
        Cut joined = join("reel", part(source, 0, 6_000), part(source, 2_000, 14_000));
        return new Source(joined.recording(), root.resolve("reel"));
    }

    private Cut cutReel(String name, Source source, GopReencoder encoder, int atOnce)
            throws IOException, InterruptedException {
        return new ClipCutter(encoder, atOnce)
                .join(List.of(part(source, 6_700, 13_100)), root.resolve(name), _ -> {});
    }
}
