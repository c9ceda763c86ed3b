package touchline.packager.clip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings.Gop;
import touchline.media.transcode.FrameReencoder;
import touchline.packager.clip.ClipCutter.Cut;
import touchline.packager.clip.ClipCutter.Range;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.isobmff.InitReader;
import touchline.packager.isobmff.SampleEntryReader;
import touchline.packager.record.Mp4View;
import touchline.packager.record.Recording;
import touchline.packager.record.RigRecording;

/** Really encoded frames with numbers in them, recorded, cut, decoded and read. */
final class ClipCutterTest {
    private static final int FRAMES = 450;
    private static final long FRAME_US = 33_333;

    @TempDir private Path root;

    static final List<AccessUnit> PLAIN = NumberedFrames.encode(FRAMES, new Gop(60, 0));
    static final List<AccessUnit> REORDERED = NumberedFrames.encode(FRAMES, new Gop(60, 2));

    @ParameterizedTest
    @CsvSource({
        "0, 15000",
        "0, 1000",
        "4000, 8000",
        "1000, 1500",
        "3000, 11000",
        "1234, 9876",
        "1900, 2100",
        "4033, 12967",
        "14000, 15000",
        "7000, 7034"
    })
    void cut_anywhere_showsTheFramesAskedForAndNoOther(int startMs, int endMs) throws Exception {
        for (List<AccessUnit> units : List.of(PLAIN, REORDERED)) {
            Path source = root.resolve("source" + units.getFirst().compositionTimeOffsetTicks());
            Recording recording = record(units, source);
            Path folder = source.resolveSibling(source.getFileName() + "-clip");

            Cut cut =
                    new ClipCutter(ClipCutterTest::encode)
                            .cut(
                                    recording,
                                    source,
                                    new Range(startMs * 1_000L, endMs * 1_000L),
                                    folder);

            assertTrue(cut.exact());
            List<Integer> expected = expected(startMs, endMs);
            assertEquals(expected, numbers(cut.recording(), folder));
            // From the first frame to the end asked for, or to where the last frame ends.
            long durationUs = endMs * 1_000L - expected.getFirst() * 100_000L / 3;
            long lateUs = endMs % 100 == 0 ? 100 : FRAME_US + 700;
            long lateByUs = Math.abs(cut.recording().durationUs() - durationUs);
            assertTrue(lateByUs <= lateUs, "duration: " + cut.recording().durationUs());
            assertEquals(cut.recording(), Recording.load(folder));
            assertAudio(cut.recording(), folder, startMs, endMs);
            assertTrue(Mp4View.of(cut.recording(), folder).sizeBytes() > 0);
        }
    }

    static List<Integer> expected(int startMs, int endMs) {
        return IntStream.range(0, FRAMES)
                .filter(i -> i * 1_000L >= startMs * 30L - 15 && i * 1_000L < endMs * 30L - 15)
                .boxed()
                .toList();
    }

    @Test
    void cut_wholeSegments_areTheSourcesFilesAndOutliveThem() throws Exception {
        Path source = root.resolve("source");
        Recording recording = record(PLAIN, source);
        Path folder = root.resolve("clip");

        Cut cut =
                new ClipCutter(ClipCutterTest::encode)
                        .cut(recording, source, new Range(1_500_000, 13_500_000), folder);

        List<String> names =
                cut.recording().segments().stream().map(s -> s.fileName()).distinct().toList();
        Path sourceFile = source.resolve(recording.segments().getFirst().fileName());
        assertEquals(
                1,
                names.stream().filter(name -> isSame(folder.resolve(name), sourceFile)).count(),
                "one file of the source has a second name: " + names);
        List<byte[]> before = payloads(recording, source);
        List<byte[]> inner = payloads(cut.recording(), folder);
        long same = inner.stream().filter(one -> before.stream().anyMatch(o -> eq(o, one))).count();
        assertTrue(same >= 344, "packets that are the source's: " + same + " of " + inner.size());
        try (var files = Files.list(source)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        assertEquals(expected(1_500, 13_500), numbers(cut.recording(), folder));
    }

    @Test
    void cut_withoutAnEncoder_startsAtTheKeyFrameAndSaysSo() throws Exception {
        Path source = root.resolve("source");
        Recording recording = record(PLAIN, source);

        Cut cut =
                new ClipCutter(_ -> Optional.empty())
                        .cut(
                                recording,
                                source,
                                new Range(3_000_000, 5_000_000),
                                root.resolve("clip"));

        assertFalse(cut.exact());
        assertEquals(expected(2_000, 5_000), numbers(cut.recording(), root.resolve("clip")));
    }

    @Test
    void cut_ofAClip_isExactAgain() throws Exception {
        Path source = root.resolve("source");
        Recording recording = record(REORDERED, source);
        ClipCutter cutter = new ClipCutter(ClipCutterTest::encode);
        Path clip = root.resolve("clip");
        Recording first =
                cutter.cut(recording, source, new Range(1_000_000, 12_500_000), clip).recording();

        Path again = root.resolve("again");
        Cut second = cutter.cut(first, clip, new Range(500_000, 10_700_000), again);

        assertTrue(second.exact());
        assertEquals(expected(1_500, 11_700), numbers(second.recording(), again));
    }

    @Test
    void cut_acrossATimelineOfAnotherEncoder_keepsBoth() throws Exception {
        Path source = root.resolve("source");
        Recording recording = recordTwice(source);

        Path clip = root.resolve("clip");
        Cut cut =
                new ClipCutter(ClipCutterTest::encode)
                        .cut(recording, source, new Range(3_000_000, 7_000_000), clip);

        assertEquals(2, cut.recording().inits().size());
        List<Integer> numbers = numbers(cut.recording(), clip);
        assertEquals(90, numbers.getFirst());
        assertEquals(120, numbers.size());
    }

    @Test
    void cut_whereNothingIsShown_isRefused() throws Exception {
        Path source = root.resolve("source");
        Recording recording = record(PLAIN, source);
        ClipCutter cutter = new ClipCutter(ClipCutterTest::encode);

        // Behind the end.
        assertThrows(
                EmptyRangeException.class,
                () ->
                        cutter.cut(
                                recording,
                                source,
                                new Range(20_000_000, 21_000_000),
                                root.resolve("clip")));
    }

    /** Between two frames, in the last frame before a discontinuity, and in the last of all. */
    @ParameterizedTest
    @CsvSource({"1010, 1020, 30", "4975, 4998, 149", "4975, 5000, 149", "9970, 10000, 149"})
    void cut_withinAFrame_showsThatFrame(int startMs, int endMs, int number) throws Exception {
        Path source = root.resolve("source");
        Recording recording = recordTwice(source);
        Path clip = root.resolve("clip");

        Range range = new Range(startMs * 1_000L, endMs * 1_000L);
        Cut cut = new ClipCutter(ClipCutterTest::encode).cut(recording, source, range, clip);

        assertEquals(List.of(number), numbers(cut.recording(), clip));
        long durationUs = cut.recording().durationUs();
        assertTrue(durationUs > 0 && durationUs <= FRAME_US + 1_000, "duration: " + durationUs);
        assertTrue(Mp4View.of(cut.recording(), clip).sizeBytes() > 0);
    }

    static Optional<GopReencoder.Encoded> encode(GopReencoder.Edge edge) {
        return encode(edge, FrameRate.of(30));
    }

    static Optional<GopReencoder.Encoded> encode(GopReencoder.Edge edge, FrameRate frameRate) {
        FrameReencoder.Recoded recoded =
                FrameReencoder.recode(
                        edge.track(),
                        edge.group(),
                        frameRate,
                        new FrameReencoder.Request(
                                edge.fromPtsTicks(),
                                edge.toPtsTicks(),
                                edge.parameterSetId(),
                                NumberedFrames.encoder()));
        if (!(recoded.track().codec() instanceof CodecConfig.Avc(var config))) {
            throw new AssertionError("encoded: " + recoded.track());
        }
        return Optional.of(new GopReencoder.Encoded(config, recoded.units()));
    }

    static Recording record(List<AccessUnit> video, Path folder) throws IOException {
        return record(video, TestMedia.audio(0, FRAMES * FRAME_US / 1_000), folder);
    }

    /**
     * @param audio may be empty, as a recording without it
     */
    static Recording record(List<AccessUnit> video, List<AccessUnit> audio, Path folder)
            throws IOException {
        PackagerRig rig = rig();
        List<Track> tracks = new ArrayList<>(List.of(video.getFirst().track()));
        audio.stream().findFirst().ifPresent(unit -> tracks.add(unit.track()));
        rig.feed(TestMedia.timeline(0, 0, tracks.toArray(Track[]::new)))
                .feed(TestMedia.interleaved(video, audio));
        return RigRecording.record(rig, folder);
    }

    /** Audio alone. */
    static Recording recordAudio(Path folder) throws IOException {
        PackagerRig rig = rig();
        rig.feed(TestMedia.timeline(0, 0, TestMedia.AUDIO)).feed(TestMedia.audio(0, 10_000));
        return RigRecording.record(rig, folder);
    }

    static Recording recordTwice(Path folder) throws IOException {
        PackagerRig rig = rig();
        List<AccessUnit> first = PLAIN.subList(0, 150);
        List<AccessUnit> second =
                PLAIN.subList(0, 150).stream()
                        .map(unit -> unit.at(unit.track(), unit.dtsTicks() + 450_000, 0))
                        .toList();
        rig.feed(TestMedia.timeline(0, 0, first.getFirst().track()))
                .feed(first)
                .feed(TestMedia.timeline(1, 5_000, first.getFirst().track()))
                .feed(second);
        return RigRecording.record(rig, folder);
    }

    private static PackagerRig rig() {
        return new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 0, true));
    }

    /** What a viewer sees, by presentation order. */
    static List<Integer> numbers(Recording recording, Path folder) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (Recording.Init init : recording.inits()) {
            InitReader head = ClipCutter.readInit(folder, init.number());
            Track track = track(head, true);
            try (VideoDecoder decoder = VideoDecoder.open(track, 1);
                    SampleReader reader = new SampleReader()) {
                for (StoredSample sample : samples(recording, folder, init).video()) {
                    read(decoder.decode(reader.unit(track, sample)), numbers);
                }
                read(decoder.drain(), numbers);
            }
        }
        return numbers;
    }

    private static void read(List<VideoFrame> frames, List<Integer> numbers) {
        for (VideoFrame frame : frames) {
            numbers.add(NumberedFrames.number(frame));
            frame.close();
        }
    }

    private static List<byte[]> payloads(Recording recording, Path folder) throws IOException {
        List<byte[]> payloads = new ArrayList<>();
        Recording.Init init = recording.inits().getFirst();
        Track track = track(ClipCutter.readInit(folder, init.number()), true);
        try (SampleReader reader = new SampleReader()) {
            for (StoredSample sample : samples(recording, folder, init).video()) {
                payloads.add(
                        reader.unit(track, sample)
                                .payload()
                                .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
            }
        }
        return payloads;
    }

    /** From the first that starts with the first frame or behind it to the last before the end. */
    private static void assertAudio(Recording recording, Path folder, int startMs, int endMs)
            throws IOException {
        List<StoredSample> audioPart =
                samples(recording, folder, recording.inits().getFirst()).audio();
        List<StoredSample> video = samples(recording, folder, recording.inits().getFirst()).video();
        long shownTicks = video.stream().mapToLong(StoredSample::ptsTicks).min().orElseThrow();
        double startS = shownTicks / 90_000.0;
        double endS = startS + (endMs - startMs) / 1_000.0;
        double frameS = 1_024 / 48_000.0;
        double firstS = audioPart.getFirst().dtsTicks() / 48_000.0;
        double lastS = audioPart.getLast().dtsTicks() / 48_000.0;
        assertTrue(
                firstS > startS - 1e-6 && firstS < startS + frameS + 0.001,
                "audio starts at " + firstS + " of " + startS);
        assertTrue(lastS < endS + 0.02, "audio ends at " + lastS + " of " + endS);
        for (int i = 1; i < audioPart.size(); i++) {
            assertEquals(audioPart.get(i - 1).endDtsTicks(), audioPart.get(i).dtsTicks(), "no gap");
        }
    }

    static StoredSamples samples(Recording recording, Path folder, Recording.Init init)
            throws IOException {
        List<Recording.Segment> segments = recording.segments();
        int from = 0;
        while (segments.get(from).init() != init.number()) {
            from++;
        }
        InitReader head = ClipCutter.readInit(folder, init.number());
        return StoredSamples.read(recording, folder, head, from, segments.size());
    }

    static Track track(InitReader init, boolean video) {
        InitReader.TrackHead head =
                init.tracks().stream().filter(t -> t.video() == video).findFirst().orElseThrow();
        return new Track(
                (int) head.id(), head.timescale(), SampleEntryReader.codec(head.sampleEntry()));
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean eq(byte[] one, byte[] other) {
        return java.util.Arrays.equals(one, other);
    }
}
