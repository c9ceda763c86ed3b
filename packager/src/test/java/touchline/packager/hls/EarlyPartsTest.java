package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.hls.TestMedia.AUDIO;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Track;
import touchline.media.hub.PublishBarrier.Verdict;
import touchline.packager.hls.Fragments.Read;

/** Latency mode low: parts that do not wait for the unit behind their last one. */
final class EarlyPartsTest {
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));
    private static final Track VIDEO = TestMedia.videoAt(20);

    private final PackagerRig rig = new PackagerRig(LOW);

    @AfterEach
    void everyBlockIsGivenBack() {
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    /** Twenty frames a second fill a part of 250 ms with five, and a segment with forty. */
    private static List<AccessUnit> steady(int first, int count) {
        List<AccessUnit> units = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            units.add(TestMedia.frame(i * 50L, 0, i % 40 == 0));
        }
        return units;
    }

    @Test
    void steadyFrames_partComesWithItsLastUnit() throws Exception {
        Thread packager = rig.start();
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(steady(0, 45)).flush();

        assertTrue(whenPart(101, 0), "unit 45 has not come");
        assertEquals(
                """
                #EXTINF:2.000000,
                s100.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:02.000Z
                #EXT-X-PART:DURATION=0.250000,URI="s101.0.m4s",INDEPENDENT=YES
                #EXT-X-PRELOAD-HINT:TYPE=PART,URI="s101.1.m4s"
                """,
                after("s100.7.m4s\"\n"));
        end(packager);
    }

    @Test
    void regularKeyFrames_nextSegmentIsHintedAndSealedByItsKeyFrame() throws Exception {
        Thread packager = rig.start();
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(steady(0, 120)).flush();

        assertTrue(whenPart(102, 7));
        assertTrue(rig.playlist().endsWith("\"s102.7.m4s\"\n" + hint("s103.0")), rig.playlist());
        CompletableFuture<Boolean> sealed =
                rig.window.whenAvailable(102, OptionalInt.empty()).toCompletableFuture();
        CompletableFuture<Boolean> hinted = rig.window.whenPart(103, 0).toCompletableFuture();
        CompletableFuture<Boolean> never = rig.window.whenPart(102, 8).toCompletableFuture();
        assertFalse(sealed.isDone());
        rig.feed(steady(120, 1)).flush();
        assertTrue(sealed.get(10, TimeUnit.SECONDS));
        assertFalse(never.get(10, TimeUnit.SECONDS), "known as soon as the segment is sealed");
        assertTrue(rig.playlist().endsWith("#EXTINF:2.000000,\ns102.m4s\n" + hint("s103.0")));
        assertFalse(hinted.isDone());
        rig.feed(steady(121, 4)).flush();
        assertTrue(hinted.get(10, TimeUnit.SECONDS));
        end(packager);
    }

    @Test
    void keyFrameThatStaysAway_theSegmentGoesOn() throws Exception {
        Thread packager = rig.start();
        List<AccessUnit> units = steady(0, 120);
        units.add(TestMedia.frame(6_000, 0, false));
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(units).flush();
        for (int i = 121; i < 125; i++) {
            rig.feed(TestMedia.frame(i * 50L, 0, false));
        }
        rig.flush();

        assertTrue(whenPart(102, 8), "another part of the same segment, although not hinted");
        assertTrue(rig.playlist().endsWith(hint("s102.9")), rig.playlist());
        end(packager);
    }

    @Test
    void audioAlone_segmentEndsWithItsLastUnit() throws Exception {
        Thread packager = rig.start();
        // 11 frames of 1024 samples fill a part, 94 a segment of two seconds.
        rig.feed(TestMedia.timeline(0, 0, AUDIO)).feed(TestMedia.audio(0, 2_000)).flush();

        assertTrue(whenSealed(100));
        assertTrue(rig.playlist().contains("#EXTINF:2.005000,\ns100.m4s\n"), rig.playlist());
        end(packager);
    }

    @Test
    void nextUnitBesideThePrediction_isShownAtItsTimeAndLeadsBack() {
        for (long errorMs : List.of(-20L, -1L, 1L, 20L)) {
            PackagerRig each = new PackagerRig(LOW);
            List<AccessUnit> units = steady(0, 15);
            units.add(TestMedia.frame(750 + errorMs, 0, false));
            for (int i = 1; i < 5; i++) {
                units.add(TestMedia.frame(750 + errorMs + i * 50L, 0, false));
            }
            each.feed(TestMedia.timeline(0, 0, VIDEO)).feed(units).run();

            List<Read> read = Fragments.all(each.sink, 0);
            assertEquals(750 * 90, read.get(15).dts(), "where the part before it ended");
            assertEquals((750 + errorMs) * 90, read.get(15).pts());
            assertEquals((800 + errorMs) * 90, read.get(16).dts(), "no drift");
            assertExact(each, units);
            each.window.close();
        }
    }

    /** Two units within one step: the second lies before the end that was predicted. */
    @Test
    void twoUnitsBeforeThePredictedEnd_decodeTimesStillRise() {
        List<AccessUnit> units = steady(0, 15);
        units.add(TestMedia.frame(720, 0, false));
        units.add(TestMedia.frame(740, 0, false));
        units.add(TestMedia.frame(760, 0, false));
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(units).run();

        List<Read> read = Fragments.all(rig.sink, 0);
        assertEquals(
                List.of(67_500L, 67_501L, 68_400L),
                read.subList(15, 18).stream().map(Read::dts).toList());
        assertExact(rig, units);
    }

    @Test
    void unsteadyFrames_areDecodedAtTheirOwnTimes() {
        List<AccessUnit> units = new ArrayList<>();
        long atMs = 0;
        for (int i = 0; i < 200; i++) {
            units.add(TestMedia.frame(atMs, 0, i % 50 == 0));
            atMs += i % 3 == 0 ? 30 : 45;
        }
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(units).run();

        assertEquals(
                units.stream().map(AccessUnit::dtsTicks).toList(),
                Fragments.all(rig.sink, 0).stream().map(Read::dts).toList());
    }

    @Test
    void audioBesideFrames_reachesThePartAsFarAsItHasCome() {
        List<FeedItem> items = TestMedia.interleaved(steady(0, 60), TestMedia.audio(0, 3_000));
        rig.feed(TestMedia.timeline(0, 0, VIDEO, AUDIO)).feed(items).run();

        long audioTicks = 0;
        for (int i = 0; i < rig.sink.parts.size(); i++) {
            for (Read read : Fragments.of(rig.sink.partBytes.get(i), 1)) {
                assertEquals(audioTicks, read.dts());
                assertEquals(audioTicks, read.pts());
                audioTicks += read.duration();
            }
            // When part 1 and its followers end, audio has come up to their last frame.
            long endUs = rig.sink.parts.get(i).startUs() + rig.sink.parts.get(i).durationUs();
            long behindUs = endUs - AUDIO.timescale().toUs(audioTicks);
            assertTrue(i < 2 || behindUs <= 50_000, i + ": " + behindUs);
        }
    }

    @Test
    void endBehindAFullPart_addsNothing() {
        rig.feed(TestMedia.timeline(0, 0, VIDEO))
                .feed(steady(0, 50))
                .feed(Interruption.PUBLISHER_GONE)
                .run();

        assertEquals(
                List.of(2_000_000L, 500_000L),
                rig.sink.segments.stream().map(PartSink.SealedSegment::durationUs).toList());
        assertTrue(
                rig.playlist()
                        .endsWith("s101.1.m4s\"\n#EXTINF:0.500000,\ns101.m4s\n#EXT-X-ENDLIST\n"));
    }

    /** The last unit seems to last as long as the one before it, which others were left out of. */
    @Test
    void endBehindAHole_theLastUnitEndsWithItsPart() {
        List<AccessUnit> units = steady(0, 47);
        units.add(TestMedia.frame(49 * 50L, 0, false));
        rig.feed(TestMedia.timeline(0, 0, VIDEO))
                .feed(units)
                .feed(Interruption.PUBLISHER_GONE)
                .run();

        assertEquals(
                List.of(250_000L, 250_000L),
                rig.sink.parts.stream().skip(8).map(PartSink.FinishedPart::durationUs).toList());
    }

    @Test
    void framesLeftOut_upToASecond_partsKeepTheirLength() {
        for (int from = 37; from < 85; from++) {
            for (int count = 1; count <= 20; count++) {
                List<AccessUnit> units = steady(0, 140);
                units.subList(from, from + count).clear();
                PackagerRig each = new PackagerRig(LOW);
                each.feed(TestMedia.timeline(0, 0, VIDEO)).feed(units).run();

                assertExact(each, units);
                assertParts(each, count + " frames from " + from);
                List<Read> read = Fragments.all(each.sink, 0);
                AccessUnit last = units.getLast();
                assertEquals(last.dtsTicks(), read.getLast().dts(), "caught up");
                each.window.close();
                assertEquals(0, each.memory.liveBlocks());
            }
        }
    }

    @Test
    void fewerFramesASecond_fromNowOn_partsKeepTheirLength() {
        for (int rate = 5; rate < 20; rate++) {
            List<AccessUnit> units = steady(0, 40);
            for (int i = 0; i < 20 * rate; i++) {
                units.add(TestMedia.frame(2_000 + i * 1_000L / rate, 0, i % (2 * rate) == 0));
            }
            PackagerRig each = new PackagerRig(LOW);
            each.feed(TestMedia.timeline(0, 0, VIDEO)).feed(units).run();

            assertExact(each, units);
            assertParts(each, rate + " frames a second");
            each.window.close();
            assertEquals(0, each.memory.liveBlocks());
        }
    }

    @Test
    void framesThatLastLongerThanAPart_fromNowOn_areAPartEach() {
        List<AccessUnit> units = steady(0, 40);
        for (int i = 0; i < 40; i++) {
            units.add(TestMedia.frame(2_000 + i * 500L, 0, i % 4 == 0));
        }
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(units).run();

        assertExact(rig, units);
        List<Read> read = Fragments.all(rig.sink, 0);
        for (int i = 50; i < 80; i++) {
            assertEquals(units.get(i).dtsTicks(), read.get(i).dts(), "frame " + i);
        }
        assertEquals(
                List.of(500_000L, 500_000L, 500_000L),
                rig.sink.parts.reversed().stream()
                        .skip(1)
                        .limit(3)
                        .map(PartSink.FinishedPart::durationUs)
                        .toList());
    }

    @Test
    void barrier_discardsAnEarlyPart_resumesAtTheNextKeyFrame() {
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(steady(0, 90));
        List<Long> asked = new ArrayList<>();
        rig.run(
                (_, lastPtsUs) -> {
                    asked.add(lastPtsUs);
                    return asked.size() == 4 ? Verdict.DISCARD : Verdict.PASS;
                });

        assertEquals(950_000, asked.get(3));
        assertEquals(
                List.of(0L, 750_000L, 2_750_000L),
                rig.sink.segments.stream().map(PartSink.SealedSegment::startUs).toList());
        assertEquals(750_000, rig.sink.segments.getFirst().durationUs());
    }

    @Test
    void gap_afterAnEarlyPart_endsTheSegment() {
        List<AccessUnit> units = steady(0, 50);
        units.add(TestMedia.frame(20_000, 0, true));
        rig.feed(TestMedia.timeline(0, 0, VIDEO)).feed(units).run();

        assertEquals(
                List.of(0L, 2_000_000L, 2_500_000L),
                rig.sink.segments.stream().map(PartSink.SealedSegment::startUs).toList());
    }

    /** Publishers that round to milliseconds, with and without B frames, and drop some. */
    @Test
    void roundedTimes_anyFrameRate_sumsAndTargetsHold() {
        Random random = new Random(11);
        for (int round = 0; round < 60; round++) {
            double rate = round % 10 == 0 ? 30_000 / 1_001.0 : 8 + random.nextInt(53);
            int gop = (int) Math.round(rate * (1 + random.nextInt(3)));
            TestMedia.Video spec = new TestMedia.Video(rate, gop, random.nextInt(5_000), 20_000);
            List<AccessUnit> units =
                    new ArrayList<>(
                            random.nextBoolean()
                                    ? TestMedia.videoWithB(spec)
                                    : TestMedia.video(spec));
            boolean drops = random.nextInt(3) == 0;
            units.removeIf(unit -> drops && !unit.idr() && random.nextInt(40) == 0);
            PackagerRig each = new PackagerRig(LOW);
            each.feed(TestMedia.timeline(0, spec.startMs(), VIDEO)).feed(units).run();

            assertExact(each, units);
            assertParts(each, rate + " fps, gop " + gop);
            each.window.close();
            assertEquals(0, each.memory.liveBlocks());
        }
    }

    /** Every unit at its own time, no gap, no drift, and sums that add up. */
    private static void assertExact(PackagerRig rig, List<AccessUnit> units) {
        List<Read> read = Fragments.all(rig.sink, 0);
        assertEquals(
                units.stream().map(AccessUnit::ptsTicks).toList(),
                read.stream().map(Read::pts).toList());
        long end = read.getFirst().dts();
        for (Read each : read) {
            assertEquals(end, each.dts());
            assertTrue(each.duration() > 0);
            end += each.duration();
        }
        long partUs = 0;
        for (PartSink.FinishedPart part : rig.sink.parts) {
            assertEquals(rig.sink.parts.getFirst().startUs() + partUs, part.startUs());
            partUs += part.durationUs();
        }
        assertEquals(
                partUs,
                rig.sink.segments.stream().mapToLong(PartSink.SealedSegment::durationUs).sum());
        long startUs = rig.sink.segments.getFirst().startUs();
        assertEquals(VIDEO.timescale().toUs(end) - startUs, partUs);
    }

    private static void assertParts(PackagerRig rig, String name) {
        String target = rig.playlist().replaceAll("(?s).*PART-TARGET=([0-9.]+)\n.*", "$1");
        long targetUs = Math.round(Double.parseDouble(target) * 1e6);
        for (int i = 0; i < rig.sink.parts.size(); i++) {
            PartSink.FinishedPart part = rig.sink.parts.get(i);
            boolean last =
                    i + 1 == rig.sink.parts.size()
                            || rig.sink.parts.get(i + 1).mediaSequence() != part.mediaSequence();
            assertTrue(part.durationUs() <= targetUs, name + ": " + part);
            assertTrue(last || part.durationUs() * 100 >= targetUs * 85, name + ": " + part);
            assertTrue(part.index() > 0 || part.independent(), name + ": " + part);
        }
        for (PartSink.SealedSegment segment : rig.sink.segments) {
            assertTrue(segment.durationUs() < 6_500_000, name + ": " + segment);
        }
    }

    private static String hint(String part) {
        return "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"" + part + ".m4s\"\n";
    }

    private boolean whenPart(long mediaSequence, int part) throws Exception {
        for (long before = 100; before < mediaSequence; before++) {
            assertTrue(whenSealed(before));
        }
        return rig.window
                        .whenPart(mediaSequence, part)
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS)
                && rig.window
                        .whenAvailable(mediaSequence, OptionalInt.of(part))
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS);
    }

    private boolean whenSealed(long mediaSequence) throws Exception {
        return rig.window
                .whenAvailable(mediaSequence, OptionalInt.empty())
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    private String after(String line) {
        String text = rig.playlist();
        return text.substring(text.indexOf(line) + line.length());
    }

    private void end(Thread packager) throws InterruptedException {
        rig.end();
        assertTrue(packager.join(Duration.ofSeconds(10)));
    }
}
