package touchline.packager.clip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.Track;
import touchline.media.ffmpeg.FrameRate;
import touchline.packager.clip.ClipCutter.Cut;
import touchline.packager.clip.ClipCutter.Range;
import touchline.packager.clip.ClipCutter.Source;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.RenderedPlaylist;
import touchline.packager.record.AssetClock;
import touchline.packager.record.Mp4View;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredPlayback;

/** Ranges of several recordings of numbered frames, joined, decoded and read. */
final class ClipJoinTest extends JoinedClips {
    /** Whole GOPs, none, across a key frame, twice the same, backwards, and overlapping. */
    @Test
    void join_oneConfiguration_isOneTimelineWithoutAGap() throws Exception {
        for (List<AccessUnit> units : List.of(ClipCutterTest.PLAIN, ClipCutterTest.REORDERED)) {
            String name = "b" + units.get(1).compositionTimeOffsetTicks();
            Source one = recorded(name + "-one", units);
            Source other = recorded(name + "-other", units);

            Cut cut =
                    join(
                            name,
                            part(one, 1_300, 9_700),
                            part(other, 4_000, 8_000),
                            part(one, 2_100, 2_300),
                            part(one, 1_300, 9_700),
                            part(other, 13_033, 15_000),
                            part(other, 0, 4_500));

            Path folder = root.resolve(name);
            assertTrue(cut.exact());
            assertEquals(1, cut.recording().inits().size());
            assertEquals(
                    all(
                            frames(1_300, 9_700),
                            frames(4_000, 8_000),
                            frames(2_100, 2_300),
                            frames(1_300, 9_700),
                            frames(13_033, 15_000),
                            frames(0, 4_500)),
                    ClipCutterTest.numbers(cut.recording(), folder));
            assertEquals(cut.recording(), Recording.load(folder));
            assertFalse(Files.exists(folder.resolve("silence.tmp")));
            assertContinuous(cut, folder);
            assertTrue(keptPackets(cut.recording(), folder, units) >= 180 + 120 + 180 + 120);
            assertTrue(Mp4View.of(cut.recording(), folder).sizeBytes() > 0);
            assertPlaces(cut);
        }
    }

    /**
     * Frames follow each other by the sum of durations, and no audio begins before the last ended.
     */
    private static void assertContinuous(Cut cut, Path folder) throws IOException {
        Recording.Init init = cut.recording().inits().getFirst();
        StoredSamples samples = ClipCutterTest.samples(cut.recording(), folder, init);
        List<StoredSample> video = samples.video();
        for (int i = 1; i < video.size(); i++) {
            assertEquals(video.get(i - 1).endDtsTicks(), video.get(i).dtsTicks(), "frame " + i);
        }
        List<Long> shown = video.stream().map(StoredSample::ptsTicks).sorted().toList();
        assertEquals(new HashSet<>(shown).size(), shown.size(), "each frame has its own time");
        for (int i = 1; i < shown.size(); i++) {
            long ticks = shown.get(i) - shown.get(i - 1);
            assertTrue(ticks > 0 && ticks <= 6_000, "frame " + i + " after " + ticks);
        }
        List<StoredSample> audio = samples.audio();
        for (int i = 1; i < audio.size(); i++) {
            long gap = audio.get(i).dtsTicks() - audio.get(i - 1).endDtsTicks();
            assertTrue(gap >= 0 && gap < 2_048, "audio " + i + ": gap of " + gap);
        }
        long frameUs = (shown.getLast() - shown.getFirst()) * 100 / 9 + 33_333;
        assertEquals((double) frameUs, (double) cut.recording().durationUs(), 34_000);
        assertEquals(
                cut.recording().durationUs(), AssetClock.of(cut.recording(), folder).durationUs());
    }

    private static void assertPlaces(Cut cut) {
        assertEquals(6, cut.places().size());
        long next = 0;
        for (ClipCutter.Place place : cut.places()) {
            assertEquals(next, place.startUs());
            next += place.durationUs();
        }
        assertEquals(cut.recording().durationUs(), next);
        ClipCutter.Place fifth = cut.places().get(4);
        // Frame 391 is the first one from 13.033 on.
        assertEquals(13_033_333, (double) fifth.sourceUs(), 50);
        assertEquals(fifth.startUs(), fifth.clipUs(13_000_000));
        assertEquals((double) (fifth.startUs() + 500_000), (double) fifth.clipUs(13_533_333), 50);
        assertTrue(fifth.clipUs(99_000_000) < cut.places().get(5).startUs());
    }

    /** Packets of the clip that are the source's, byte by byte. */
    private static long keptPackets(Recording recording, Path folder, List<AccessUnit> units)
            throws IOException {
        Set<ByteBuffer> known = new HashSet<>();
        units.forEach(unit -> known.add(ByteBuffer.wrap(bytes(unit))));
        Recording.Init init = recording.inits().getFirst();
        Track track = ClipCutterTest.track(ClipCutter.readInit(folder, 0), true);
        long kept = 0;
        try (SampleReader reader = new SampleReader()) {
            for (StoredSample sample : ClipCutterTest.samples(recording, folder, init).video()) {
                kept += known.contains(ByteBuffer.wrap(bytes(reader.unit(track, sample)))) ? 1 : 0;
            }
        }
        return kept;
    }

    private static byte[] bytes(AccessUnit unit) {
        return unit.payload().toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void join_datesOfEachRange_areThoseOfItsRecording() throws Exception {
        Source source = recorded("source", ClipCutterTest.PLAIN);
        Instant zero = source.recording().wallClocks().getFirst();

        Cut cut = join("clip", part(source, 10_000, 12_000), part(source, 2_000, 6_000));

        assertEquals(1, cut.recording().dates().size());
        List<Instant> dates = cut.recording().wallClocks();
        assertEquals(zero.plus(10, ChronoUnit.SECONDS), dates.getFirst());
        int second = 0;
        while (cut.recording().segments().get(second).mediaSequence()
                != cut.recording().dates().getFirst().mediaSequence()) {
            second++;
        }
        assertEquals(zero.plus(2, ChronoUnit.SECONDS), dates.get(second));
        assertEquals(zero.plus(4, ChronoUnit.SECONDS), dates.get(second + 1));
        String playlist = playlist(root.resolve("clip"));
        assertFalse(playlist.contains("EXT-X-DISCONTINUITY\n"), playlist);
        assertTrue(
                playlist.contains(
                        "EXT-X-PROGRAM-DATE-TIME:" + dates.get(second).toString().substring(0, 19)),
                playlist);
    }

    private static String playlist(Path folder) throws IOException {
        RenderedPlaylist media =
                StoredPlayback.open(new SessionId("ast_1"), folder, /* complete= */ true)
                        .mediaPlaylist(LivePlayback.PlaylistKind.WINDOW)
                        .toCompletableFuture()
                        .join()
                        .orElseThrow();
        return StandardCharsets.UTF_8.decode(media.plain().bytes()).toString();
    }

    @Test
    void join_ofAJoinedClip_staysOneTimelineAndKeepsTheDates() throws Exception {
        Source source = recorded("source", ClipCutterTest.REORDERED);
        Cut first = join("first", part(source, 9_300, 12_000), part(source, 1_100, 6_000));
        Source clip = new Source(first.recording(), root.resolve("first"));
        Instant zero = source.recording().wallClocks().getFirst();

        // 2.7 s of the first range, then the second one.
        Cut again =
                cutter.cut(
                        clip.recording(),
                        clip.folder(),
                        new Range(1_000_000, 5_000_000),
                        root.resolve("again"));

        assertTrue(again.exact());
        assertEquals(1, again.recording().inits().size());
        assertEquals(
                all(frames(10_300, 12_000), frames(1_100, 3_400)),
                ClipCutterTest.numbers(again.recording(), root.resolve("again")));
        Instant second = again.recording().dates().getFirst().at();
        assertEquals(1_100, (double) ChronoUnit.MILLIS.between(zero, second), 70);
    }

    @Test
    void join_severalSizes_standBehindDiscontinuitiesInRisingTime() throws Exception {
        Source plain = recorded("plain", ClipCutterTest.PLAIN);
        Source tall = recorded("tall", TALL);

        Cut cut =
                join(
                        "clip",
                        part(plain, 5_500, 9_000),
                        part(tall, 700, 3_300),
                        part(tall, 1_000, 2_000),
                        part(plain, 0, 1_500));

        Path folder = root.resolve("clip");
        assertEquals(3, cut.recording().inits().size());
        assertEquals(
                all(
                        frames(5_500, 9_000),
                        frames(700, 3_300),
                        frames(1_000, 2_000),
                        frames(0, 1_500)),
                ClipCutterTest.numbers(cut.recording(), folder));
        List<Recording.Segment> segments = cut.recording().segments();
        for (int i = 1; i < segments.size(); i++) {
            long end = segments.get(i - 1).startUs() + segments.get(i - 1).durationUs();
            assertEquals((double) end, (double) segments.get(i).startUs(), 50, "segment " + i);
        }
        assertEquals(
                3,
                StoredPlayback.open(new SessionId("ast_1"), folder, /* complete= */ true)
                        .configurations());
    }

    @Test
    void join_rangesThatCannotBeJoined_areRefused() throws Exception {
        Source plain = recorded("plain", ClipCutterTest.PLAIN);
        Path folder = root.resolve("audio");
        Source audio = new Source(ClipCutterTest.recordAudio(folder), folder);

        MixedMediaException mixed =
                assertThrows(
                        MixedMediaException.class,
                        () -> join("a", part(plain, 0, 1_000), part(audio, 0, 1_000)));
        assertEquals(1, mixed.range());
        List<Integer> begun = new ArrayList<>();
        assertThrows(
                EmptyRangeException.class,
                () ->
                        cutter.join(
                                List.of(part(plain, 0, 1_000), part(plain, 20_000, 21_000)),
                                root.resolve("b"),
                                begun::add));
        assertEquals(List.of(0, 1), begun);
    }

    /**
     * A source whose edges have other parameter sets under the id that the timeline uses already.
     */
    @Test
    void join_edgesWithOtherParameterSets_areEncodedAgainUnderAnotherId() throws Exception {
        Source source = recorded("source", ClipCutterTest.PLAIN);
        List<Integer> ids = new ArrayList<>();
        ClipCutter changing =
                new ClipCutter(
                        edge -> {
                            ids.add(edge.parameterSetId());
                            // Another nominal frame rate stands in the parameter sets.
                            return ids.size() == 1
                                    ? ClipCutterTest.encode(edge)
                                    : ClipCutterTest.encode(edge, FrameRate.of(25));
                        });

        Cut cut =
                changing.join(
                        List.of(
                                part(source, 1_000, 3_000),
                                part(source, 5_000, 7_500),
                                part(source, 9_100, 10_000)),
                        root.resolve("clip"),
                        _ -> {});

        assertTrue(cut.exact());
        assertEquals(1, cut.recording().inits().size());
        // The second and the third edge come with the first one's id, and are encoded again.
        int first = ids.getFirst();
        assertEquals(Set.of(first, first + 1), new HashSet<>(ids), "ids: " + ids);
        assertEquals(
                all(frames(1_000, 3_000), frames(5_000, 7_500), frames(9_100, 10_000)),
                ClipCutterTest.numbers(cut.recording(), root.resolve("clip")));
    }

    @Test
    void join_audioAlone_isOneTimeline() throws Exception {
        Path folder = root.resolve("audio");
        Source audio = new Source(ClipCutterTest.recordAudio(folder), folder);

        Cut cut = join("clip", part(audio, 5_000, 7_000), part(audio, 1_000, 2_000));

        assertEquals(1, cut.recording().inits().size());
        assertEquals(3_000_000, (double) cut.recording().durationUs(), 45_000);
    }

    @Test
    void join_edgesOfOneSource_shareAnId_andWithoutAnEncoderThereAreNone() throws Exception {
        Source source = recorded("source", ClipCutterTest.PLAIN);
        List<Integer> ids = new ArrayList<>();
        ClipCutter counting =
                new ClipCutter(
                        edge -> {
                            ids.add(edge.parameterSetId());
                            return ClipCutterTest.encode(edge);
                        });

        Cut same =
                counting.join(
                        List.of(part(source, 1_000, 3_000), part(source, 5_000, 7_500)),
                        root.resolve("same"),
                        _ -> {});

        assertTrue(same.exact());
        assertEquals(2, ids.size(), "each edge is encoded once");
        assertEquals(1, new HashSet<>(ids).size(), "under one id: " + ids);

        Cut none =
                new ClipCutter(_ -> Optional.empty())
                        .join(
                                List.of(part(source, 1_000, 3_000), part(source, 5_000, 7_500)),
                                root.resolve("none"),
                                _ -> {});
        assertFalse(none.exact());
        assertEquals(
                all(frames(0, 3_000), frames(4_000, 7_500)),
                ClipCutterTest.numbers(none.recording(), root.resolve("none")));
    }
}
