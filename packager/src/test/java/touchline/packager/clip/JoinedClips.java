package touchline.packager.clip;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.ffmpeg.VideoSettings.Gop;
import touchline.packager.clip.ClipCutter.Cut;
import touchline.packager.clip.ClipCutter.Part;
import touchline.packager.clip.ClipCutter.Range;
import touchline.packager.clip.ClipCutter.Source;

/** For tests that join ranges of recordings of numbered frames, below one folder. */
abstract class JoinedClips {
    /** Five seconds, of another size than the other recordings. */
    static final List<AccessUnit> TALL =
            NumberedFrames.encode(150, new Gop(60, 0), /* height= */ 128);

    @TempDir Path root;

    final ClipCutter cutter = new ClipCutter(ClipCutterTest::encode);

    final Source recorded(String name, List<AccessUnit> video) throws IOException {
        Path folder = root.resolve(name);
        return new Source(ClipCutterTest.record(video, folder), folder);
    }

    static Part part(Source source, int startMs, int endMs) {
        return new Part(source, new Range(startMs * 1_000L, endMs * 1_000L));
    }

    final Cut join(String name, Part... parts) throws Exception {
        return cutter.join(List.of(parts), root.resolve(name), _ -> {});
    }

    /** Numbers of the frames of a range. */
    static List<Integer> frames(int startMs, int endMs) {
        return ClipCutterTest.expected(startMs, endMs);
    }

    @SafeVarargs
    static List<Integer> all(List<Integer>... parts) {
        List<Integer> all = new ArrayList<>();
        for (List<Integer> part : parts) {
            all.addAll(part);
        }
        return all;
    }
}
