package touchline.packager.clip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.isobmff.InitReader;
import touchline.packager.record.Mp4View;
import touchline.packager.record.Recording;
import touchline.packager.record.RigRecording;

/** A recording that starts with ten seconds of audio: its frames come late. */
final class LoneAudioTest {
    private static final int AUDIO_UNITS = 2 * (10_000 * 48 / 1_024 + 1);

    @TempDir private Path root;
    private Path source = Path.of("");
    private Recording recording = new Recording(List.of(), List.of(), true);

    @BeforeEach
    void records() throws IOException {
        source = root.resolve("source");
        List<AccessUnit> frames = new ArrayList<>();
        for (AccessUnit unit : ClipCutterTest.PLAIN.subList(0, 300)) {
            frames.add(unit.at(unit.track(), unit.dtsTicks() + 10 * 90_000, 0));
        }
        PackagerRig rig = new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 0, true));
        rig.feed(TestMedia.timeline(0, 0, TestMedia.AUDIO))
                .feed(TestMedia.audio(0, 10_000))
                .feed(TestMedia.timeline(1, 10_000, frames.getFirst().track(), TestMedia.AUDIO))
                .feed(TestMedia.interleaved(frames, TestMedia.audio(10_000, 10_000)));
        recording = RigRecording.record(rig, source);
    }

    @Test
    void recording_hasAllAudioAndItsWholeDuration() throws IOException {
        assertEquals(2, recording.inits().size());
        assertEquals(20_000_000, (double) recording.durationUs(), 22_000);
        assertEquals(AUDIO_UNITS, audio(recording, source));
        assertTrue(Mp4View.of(recording, source).sizeBytes() > 0);
    }

    @Test
    void cut_acrossTheFirstFrame_keepsItsAudio() throws Exception {
        for (ClipCutter.Range range :
                List.of(
                        new ClipCutter.Range(4_000_000, 16_000_000),
                        new ClipCutter.Range(7_000_000, 9_000_000))) {
            Path folder = root.resolve("clip" + range.startUs());
            Recording clip =
                    new ClipCutter(_ -> Optional.empty())
                            .cut(recording, source, range, folder)
                            .recording();

            double expected = (range.endUs() - range.startUs()) * 48e-3 / 1_024;
            assertTrue(audio(clip, folder) >= expected - 3, range::toString);
        }
    }

    @Test
    void scaledCopy_keepsTheAudioBeforeTheFirstFrame() throws IOException {
        Path folder = root.resolve("copy");
        var settings = new ScaledCopy.Settings(32, NumberedFrames.encoder(), 1);
        Recording copy = new ScaledCopy(recording, source, settings, _ -> {}).write(folder);

        assertEquals(AUDIO_UNITS, audio(copy, folder));
        assertEquals(2, copy.inits().size());
        assertEquals(20_000_000, (double) copy.durationUs(), 100_000);
    }

    /** Number of audio frames. */
    private static int audio(Recording recording, Path folder) throws IOException {
        int count = 0;
        List<Recording.Segment> segments = recording.segments();
        for (int i = 0; i < segments.size(); i++) {
            InitReader init = ClipCutter.readInit(folder, segments.get(i).init());
            count += StoredSamples.read(recording, folder, init, i, i + 1).audio().size();
        }
        return count;
    }
}
