package touchline.packager.clip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.Track;
import touchline.packager.clip.ClipCutter.Cut;
import touchline.packager.clip.ClipCutter.Range;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.TestMedia;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.Fragment;
import touchline.packager.record.AssetClock;
import touchline.packager.record.Mp4View;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredMp4;
import touchline.packager.record.StoredPlayback;

/**
 * A recording as earlier versions stored it: frames are decoded before they are presented, and
 * media time jumps at a discontinuity. Twice 120 numbered frames, 20 s of nothing between.
 */
final class EarlierRecordingTest {
    private static final int FRAMES = 120;
    private static final long FRAME_TICKS = 3_000;

    @TempDir private Path root;

    private Recording recording;

    @BeforeEach
    void write() throws IOException {
        try (ClipWriter writer = new ClipWriter(root.resolve("source"))) {
            range(writer, /* atMs= */ 1_000);
            range(writer, /* atMs= */ 25_000);
            recording = writer.finish();
        }
    }

    private static void range(ClipWriter writer, long atMs) throws IOException {
        List<AccessUnit> units = new ArrayList<>();
        Track track = ClipCutterTest.REORDERED.getFirst().track();
        long shiftTicks = atMs * 90 - ClipCutterTest.REORDERED.getFirst().dtsTicks();
        for (AccessUnit unit : ClipCutterTest.REORDERED.subList(0, FRAMES)) {
            units.add(
                    unit.at(
                            track,
                            unit.dtsTicks() + shiftTicks,
                            unit.compositionTimeOffsetTicks()));
        }
        assertTrue(units.getFirst().compositionTimeOffsetTicks() > 0, "B-frames");
        writer.init(List.of(track, TestMedia.AUDIO), atMs * 1_000, TestMedia.START);
        List<AccessUnit> audio = TestMedia.audio(atMs, 4_100);
        for (int from = 0; from < FRAMES; from += 60) {
            List<Fragment.Sample> samples = new ArrayList<>();
            units.subList(from, from + 60)
                    .forEach(unit -> samples.add(new Fragment.Sample(unit, FRAME_TICKS)));
            List<Fragment.Sample> with = new ArrayList<>();
            audio.subList(from == 0 ? 0 : 94, from == 0 ? 94 : audio.size())
                    .forEach(unit -> with.add(new Fragment.Sample(unit, 1_024)));
            writer.fragment(
                    List.of(
                            new Fragment.Run(track, samples),
                            new Fragment.Run(TestMedia.AUDIO, with)),
                    units.get(from).dtsUs(),
                    2_000_000);
            writer.seal();
        }
    }

    @Test
    void clock_hasNoGap() throws IOException {
        AssetClock clock = AssetClock.of(recording, root.resolve("source"));

        assertEquals(8_000_000, clock.durationUs());
        assertEquals(recording.durationUs(), clock.durationUs());
        long delayUs = ClipCutterTest.REORDERED.getFirst().ptsUs();
        delayUs -= ClipCutterTest.REORDERED.getFirst().dtsUs();
        assertTrue(Math.abs(1_000_000 + delayUs - clock.mediaUs(0)) <= 2);
        assertTrue(Math.abs(25_000_000 + delayUs - clock.mediaUs(4_000_000)) <= 2);
    }

    @Test
    void mp4_lastsAsLongAsThePlaylistSays() throws IOException {
        Box moov =
                BoxReader.walkWhole(Mp4View.of(recording, root.resolve("source")).head()).stream()
                        .filter(box -> box.type().equals("moov"))
                        .findFirst()
                        .orElseThrow();
        Box header = moov.child("mvhd").orElseThrow();

        assertEquals(90_000, header.u32(20), "timescale");
        assertEquals(8 * 90_000, header.u64(24));
        for (Box box : moov.children()) {
            if (box.type().equals("trak")) {
                Box edits = box.child("edts").orElseThrow().child("elst").orElseThrow();
                long shownTicks = edits.u32(8);
                assertTrue(Math.abs(shownTicks - 8 * 90_000) < 2_200, "shown: " + shownTicks);
            }
        }
    }

    /** A saved head of the earlier version shows the gap. */
    @Test
    void mp4_savedByAnEarlierVersion_isMadeAnew() throws IOException {
        Path earlier = root.resolve("source").resolve("mp4-head");
        byte[] head =
                Mp4View.of(recording, root.resolve("source"))
                        .head()
                        .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        head[30]++;
        Files.write(earlier, head);

        StoredMp4 _ = StoredMp4.open(root.resolve("source"));

        assertTrue(Files.notExists(earlier));
        byte[] saved = Files.readAllBytes(root.resolve("source").resolve("mp4-head-2"));
        assertTrue(MemorySegment.ofArray(saved).mismatch(MemorySegment.ofArray(head)) >= 0);
    }

    @Test
    void clip_acrossTheGap_showsTheFramesOfBothSides() throws Exception {
        Cut cut = cut(new Range(3_000_000, 5_000_000));

        List<Integer> expected =
                IntStream.concat(IntStream.range(90, 120), IntStream.range(0, 30)).boxed().toList();
        assertEquals(expected, ClipCutterTest.numbers(cut.recording(), root.resolve("clip")));
        assertTrue(Math.abs(2_000_000 - cut.recording().durationUs()) < 200);
    }

    /** Ten milliseconds of the first side show no frame. */
    @Test
    void clip_thatStartsBetweenTheLastFrameAndTheGap_startsBehindIt() throws Exception {
        Cut cut = cut(new Range(3_990_000, 5_000_000));

        assertEquals(
                IntStream.range(0, 30).boxed().toList(),
                ClipCutterTest.numbers(cut.recording(), root.resolve("clip")));
    }

    @Test
    void clip_atTheVeryEnd_isCut() throws Exception {
        Cut cut = cut(new Range(7_500_000, 8_000_000));

        assertEquals(
                IntStream.range(105, 120).boxed().toList(),
                ClipCutterTest.numbers(cut.recording(), root.resolve("clip")));
    }

    @Test
    void frames_byTime_areThoseOfTheirRange() throws IOException {
        StoredPlayback playback =
                StoredPlayback.open(new SessionId("ses_1"), root.resolve("source"), true);
        FrameSource frames = playback.frames().orElseThrow();

        assertEquals(1, frames.spanAt(frames.mediaUs(3_900_000)).orElseThrow().mediaSequence());
        assertEquals(2, frames.spanAt(frames.mediaUs(4_000_500)).orElseThrow().mediaSequence());
        assertEquals(3, frames.spanAt(frames.mediaUs(6_100_000)).orElseThrow().mediaSequence());
    }

    private Cut cut(Range range) throws Exception {
        return new ClipCutter(ClipCutterTest::encode)
                .cut(recording, root.resolve("source"), range, root.resolve("clip"));
    }
}
