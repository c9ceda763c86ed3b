package touchline.packager.clip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.record.AssetClock;
import touchline.packager.record.Mp4View;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredPlayback;

/** Numbered frames, recorded and scaled down. */
final class ScaledCopyTest {
    private static final ScaledCopy.Settings SMALL =
            new ScaledCopy.Settings(
                    /* maxShorterSide= */ 32, NumberedFrames.encoder(), /* threads= */ 1);

    @TempDir private Path root;

    private final List<Double> progress = new ArrayList<>();

    private Recording scaled(Recording source, ScaledCopy.Settings settings) throws Exception {
        return new ScaledCopy(source, root.resolve("source"), settings, progress::add)
                .write(root.resolve("copy"));
    }

    @Test
    void write_framesWithBFrames_areSmallerAndAllThereAtTheirTimes() throws Exception {
        Recording source = ClipCutterTest.record(ClipCutterTest.REORDERED, root.resolve("source"));

        Recording copy = scaled(source, SMALL);

        Path folder = root.resolve("copy");
        assertEquals(32, StoredPlayback.shorterSide(copy, folder));
        assertEquals(
                IntStream.range(0, ClipCutterTest.REORDERED.size()).boxed().toList(),
                ClipCutterTest.numbers(copy, folder));
        assertEquals(source.durationUs(), copy.durationUs());
        assertEquals(
                AssetClock.of(source, root.resolve("source")).mediaUs(0),
                AssetClock.of(copy, folder).mediaUs(0));
        assertEquals(copy, Recording.load(folder));
        assertTrue(Mp4View.of(copy, folder).sizeBytes() > 0);
        assertEquals(1, progress.getLast());
        assertTrue(copy.segments().size() > 3, "segments: " + copy.segments());
    }

    @Test
    void write_twoRanges_haveAnInitEach() throws Exception {
        Recording source = ClipCutterTest.recordTwice(root.resolve("source"));

        Recording copy = scaled(source, SMALL);

        assertEquals(2, copy.inits().size());
        List<Integer> once = IntStream.range(0, 150).boxed().toList();
        List<Integer> twice = new ArrayList<>(once);
        twice.addAll(once);
        assertEquals(twice, ClipCutterTest.numbers(copy, root.resolve("copy")));
    }

    @Test
    void write_smallerThanTheLimit_keepsItsSize() throws Exception {
        Recording source = ClipCutterTest.record(ClipCutterTest.PLAIN, root.resolve("source"));

        Recording copy = scaled(source, new ScaledCopy.Settings(1080, NumberedFrames.encoder(), 2));

        assertEquals(64, StoredPlayback.shorterSide(copy, root.resolve("copy")));
        assertTrue(Files.exists(root.resolve("copy").resolve(Recording.INDEX)));
    }
}
