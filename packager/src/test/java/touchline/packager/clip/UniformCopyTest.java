package touchline.packager.clip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.AudioEncoder;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.Pcm;
import touchline.packager.clip.ClipCutter.Cut;
import touchline.packager.clip.ClipCutter.Source;
import touchline.packager.isobmff.InitReader;
import touchline.packager.record.Mp4View;
import touchline.packager.record.Recording;

/** Joined recordings of several formats, copied into one format, decoded and read. */
final class UniformCopyTest extends JoinedClips {
    @Test
    void write_severalSizes_isInTheSizeOfTheFirst() throws Exception {
        Source plain = recorded("plain", ClipCutterTest.PLAIN);
        Cut cut =
                join(
                        "clip",
                        part(plain, 5_500, 9_000),
                        part(recorded("tall", TALL), 700, 3_300),
                        part(plain, 0, 1_500));
        List<Double> progress = new ArrayList<>();

        Recording made = copy(cut, progress);

        Path copy = root.resolve("copy");
        assertEquals(1, made.inits().size());
        InitReader.TrackHead video = ClipCutter.readInit(copy, 0).tracks().getFirst();
        assertEquals(64, video.height());
        assertEquals(1, progress.getLast());
        assertEquals(
                105 + 78 + 45,
                ClipCutterTest.samples(made, copy, made.inits().getFirst()).video().size());
        assertEquals((double) cut.recording().durationUs(), (double) made.durationUs(), 50);
        assertTrue(Mp4View.of(made, copy).sizeBytes() > 0);
    }

    private Recording copy(Cut cut, List<Double> progress) throws IOException {
        return new UniformCopy(
                        cut.recording(),
                        root.resolve("clip"),
                        new ScaledCopy.Settings(1_080, NumberedFrames.encoder(), 1),
                        progress::add)
                .write(root.resolve("copy"));
    }

    /** The wider shape first: numbers can be read between black bars above and below. */
    @Test
    void write_otherShapes_areShownWholeBetweenBars() throws Exception {
        Source tall = recorded("tall", TALL);
        Source plain = recorded("plain", ClipCutterTest.PLAIN);
        Cut cut = join("clip", part(tall, 700, 2_300), part(plain, 5_500, 9_000));
        Path copy = root.resolve("copy");

        Recording made = copy(cut, new ArrayList<>());

        assertEquals(128, ClipCutter.readInit(copy, 0).tracks().getFirst().height());
        assertEquals(
                all(frames(700, 2_300), frames(5_500, 9_000)), ClipCutterTest.numbers(made, copy));
    }

    @Test
    void write_audioOfSeveralRatesAndNone_isResampledAndSilent() throws Exception {
        Source loud = tone("loud", 44_100);
        Path folder = root.resolve("mute");
        Source mute =
                new Source(ClipCutterTest.record(ClipCutterTest.PLAIN, List.of(), folder), folder);
        Source other = tone("other", 48_000);

        Cut cut =
                join("clip", part(loud, 500, 2_500), part(mute, 500, 3_000), part(other, 0, 2_000));

        Path clip = root.resolve("clip");
        assertFalse(Files.exists(clip.resolve("silence.tmp")));
        for (Recording.Init init : cut.recording().inits()) {
            assertEquals(2, ClipCutter.readInit(clip, init.number()).tracks().size());
            assertFalse(
                    ClipCutterTest.samples(cut.recording(), clip, init).audio().isEmpty(),
                    "audio of init " + init.number());
        }
        Path copy = root.resolve("copy");
        Recording made = copy(cut, new ArrayList<>());
        assertEquals(
                44_100,
                ClipCutterTest.track(ClipCutter.readInit(copy, 0), false)
                        .timescale()
                        .ticksPerSecond());
        double[] levels = levels(made, copy);
        assertTrue(levels[1] > 0.1 && levels[5] > 0.1, "tone: " + levels[1] + ", " + levels[5]);
        assertTrue(levels[3] < 1e-4, "silence: " + levels[3]);
        assertEquals(6.5, levels.length, 1);
    }

    private Source tone(String name, int rateHz) throws IOException {
        List<AccessUnit> units = new ArrayList<>();
        try (AudioEncoder encoder = AudioEncoder.open(new AudioSettings(rateHz, 2, 128_000))) {
            float[] samples = new float[rateHz * 15 * 2];
            for (int i = 0; i < samples.length; i++) {
                samples[i] = (float) (0.5 * Math.sin(i / 2 * 2 * Math.PI * 440 / rateHz));
            }
            units.addAll(encoder.encode(Pcm.of(rateHz, 2, 1_024, samples)));
            units.addAll(encoder.finish());
        }
        Path folder = root.resolve(name);
        return new Source(ClipCutterTest.record(ClipCutterTest.PLAIN, units, folder), folder);
    }

    /** Peak of each second. */
    private static double[] levels(Recording recording, Path folder) throws IOException {
        Track track = ClipCutterTest.track(ClipCutter.readInit(folder, 0), false);
        int rateHz = track.timescale().ticksPerSecond();
        double[] levels = new double[(int) Math.ceil(recording.durationUs() / 1e6)];
        try (AudioDecoder decoder = AudioDecoder.open(track);
                SampleReader reader = new SampleReader()) {
            for (StoredSample sample :
                    ClipCutterTest.samples(recording, folder, recording.inits().getFirst())
                            .audio()) {
                for (Pcm pcm : decoder.decode(reader.unit(track, sample))) {
                    for (int i = 0; i < pcm.frames(); i++) {
                        int second = (int) ((pcm.startFrame() + i) / rateHz);
                        if (second >= 0 && second < levels.length) {
                            levels[second] = Math.max(levels[second], Math.abs(pcm.sample(i, 0)));
                        }
                    }
                }
            }
        }
        return levels;
    }
}
