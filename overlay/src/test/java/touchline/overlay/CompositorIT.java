package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FrameView;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.FrameTap;
import touchline.media.hub.Publication;

/** Real frames through decoder, layers and encoder. */
@Timeout(480)
final class CompositorIT {
    private static final FrameFormat SMALL = new FrameFormat(320, 240, Colour.UNSPECIFIED);
    private static final FrameFormat HD = new FrameFormat(1280, 720, Colour.UNSPECIFIED);
    private static final Placement HALF =
            new Placement(
                    new Placement.Axis(50, Placement.Align.END, 5),
                    new Placement.Axis(25, Placement.Align.END, 5),
                    100);

    @Test
    void session_withoutLayers_keepsTimesAndAudio() throws InterruptedException {
        List<AccessUnit> sent = Studio.withAudio(Studio.frames(Studio.settings(SMALL), 0, 75));
        try (Rig rig = new Rig(true)) {
            rig.send(sent);
            rig.end();

            assertEquals(times(sent, true), times(rig.frames(), true));
            assertEquals(times(sent, false), times(rig.audio(), false));
            assertEquals(List.of(0, 50), keyFrames(rig.frames()));
            Timeline timeline = assertInstanceOf(Timeline.class, rig.program().getFirst());
            assertEquals(0, timeline.startUs());
            assertEquals(2, timeline.tracks().size());
            assertEquals(0, rig.counters.dropped());
            assertEquals(List.of(), rig.events);
        }
    }

    @Test
    void session_untaggedFrames_areTaggedByHeight() throws InterruptedException {
        assertEquals(Colour.BT601, colourOut(SMALL));
        assertEquals(Colour.BT709, colourOut(HD));
    }

    @Test
    void layer_overTheFrame_leavesTheRestAsAPlainEncodeHasIt() throws InterruptedException {
        List<AccessUnit> sent = Studio.frames(Studio.settings(SMALL), 0, 30);
        CanvasBox box = HALF.pageBox(320, 240);
        CanvasBox around =
                new CanvasBox(box.x() - 16, box.y() - 16, box.width() + 32, box.height() + 32);
        try (Rig plain = new Rig(true);
                Rig rig = new Rig(true)) {
            FlatLayer layer = new FlatLayer(HALF, 255, 255, 255, 255);
            plain.send(sent);
            rig.send(sent.subList(0, 1));
            rig.compositor().layers(List.of(layer));
            rig.send(sent.subList(1, sent.size()));
            plain.end();
            rig.end();

            try (Seen source = Seen.of(sent);
                    Seen reference = Seen.of(plain.frames());
                    Seen seen = Seen.of(rig.frames())) {
                VideoFrame shown = seen.last();
                assertEquals(235, Seen.mean(shown, 0, box.x() + 20, box.y() + 20), 2);
                double plainDb = Seen.psnrOutside(around, source.last(), reference.last());
                double seenDb = Seen.psnrOutside(around, source.last(), shown);
                assertEquals(plainDb, seenDb, 1.0);
                assertTrue(plainDb > 38, "plain: " + plainDb);
            }
            assertEquals(1, layer.canvases.get());
            assertTrue(rig.counters.blended() >= 28, "blended: " + rig.counters.blended());
        }
    }

    @Test
    void taps_seeFramesAsViewersDo() throws InterruptedException {
        List<Long> times = new ArrayList<>();
        List<Integer> samples = new ArrayList<>();
        FrameTap tap =
                new FrameTap() {
                    @Override
                    public boolean isDue(long ptsUs) {
                        return ptsUs >= 400_000;
                    }

                    @Override
                    public void offer(FrameView frame) {
                        times.add(frame.ptsUs());
                        samples.add(
                                frame.planes().getFirst().samples().get(ValueLayout.JAVA_BYTE, 0)
                                        & 0xFF);
                    }
                };
        List<AccessUnit> sent = Studio.frames(Studio.settings(SMALL), 0, 20);
        try (Rig rig = new Rig(true)) {
            rig.send(sent.subList(0, 1));
            rig.compositor().layers(List.of(new FlatLayer(Placement.DEFAULT, 0, 0, 0, 255)));
            rig.compositor().addTap(tap);
            rig.send(sent.subList(1, 20));
            rig.end();
        }
        assertEquals(10, times.size());
        assertEquals(400_000, times.getFirst());
        assertTrue(samples.stream().allMatch(luma -> luma == 16), samples.toString());
    }

    @Test
    void layerOrTapThatThrows_isLeftOutAndTheFrameGoesOn() throws InterruptedException {
        OverlayLayer bad =
                new OverlayLayer() {
                    @Override
                    public void canvas(Canvas canvas) {
                        throw new IllegalStateException("no canvas for me");
                    }

                    @Override
                    public Optional<BoxFrame> frameAt(long ptsUs) {
                        throw new IllegalStateException("called again");
                    }
                };
        FrameTap tap =
                new FrameTap() {
                    @Override
                    public boolean isDue(long ptsUs) {
                        throw new IllegalStateException("nothing");
                    }

                    @Override
                    public void offer(FrameView frame) {}
                };
        List<AccessUnit> sent = Studio.frames(Studio.settings(SMALL), 0, 20);
        try (Rig rig = new Rig(true)) {
            rig.send(sent.subList(0, 1));
            rig.compositor().addTap(tap);
            rig.compositor()
                    .layers(List.of(bad, new FlatLayer(Placement.DEFAULT, 255, 255, 255, 255)));
            rig.send(sent.subList(1, 20));
            rig.end();

            assertEquals(20, rig.frames().size());
            assertEquals(List.of(), rig.events);
            try (Seen seen = Seen.of(rig.frames())) {
                assertEquals(235, Seen.mean(seen.last(), 0, 100, 100), 2);
            }
        }
    }

    @Test
    void join_runningSession_goesOnBehindOneDiscontinuity() throws InterruptedException {
        List<AccessUnit> sent = Studio.withAudio(Studio.frames(Studio.settings(SMALL), 0, 100));
        int half = sent.size() / 2;
        try (Rig rig = new Rig(false)) {
            rig.send(sent.subList(0, half));
            Compositor joined = rig.join();
            joined.layers(List.of(new FlatLayer(HALF, 255, 255, 255, 255)));
            rig.await(() -> rig.events.contains("took over"), "the takeover");
            rig.send(sent.subList(half, sent.size()));
            rig.end();

            assertEquals(2, rig.timelines().size());
            assertEquals(List.of(0, 1), rig.timelines().stream().map(Timeline::sequence).toList());
            assertEquals(times(sent, true), times(rig.frames(), true));
            assertEquals(times(sent, false), times(rig.audio(), false));
            List<AccessUnit> composed =
                    rig.frames().stream()
                            .filter(unit -> !unit.track().equals(sent.getFirst().track()))
                            .filter(unit -> unit.track().isVideo())
                            .toList();
            assertTrue(composed.getFirst().isKeyFrame());
            try (Seen seen = Seen.of(composed)) {
                CanvasBox box = HALF.pageBox(320, 240);
                assertEquals(
                        235, Seen.mean(seen.frames.getFirst(), 0, box.x() + 20, box.y() + 20), 2);
            }
        }
    }

    @Test
    void close_whileTheSessionRuns_passesTheSourceOnAgain() throws InterruptedException {
        List<AccessUnit> sent = Studio.frames(Studio.settings(SMALL), 0, 100);
        try (Rig rig = new Rig(true)) {
            rig.send(sent.subList(0, 30));
            rig.compositor().close();
            // Nothing comes out until the next key frame.
            try (Publication _ = rig.publication()) {
                sent.subList(30, 100).forEach(rig.publication()::write);
                rig.publication().flush();
            }
            rig.await(() -> rig.timelines().size() == 2, "the source again");
            rig.end();

            AccessUnit first = rig.frames().get(rig.frames().size() - 50);
            assertEquals(2_000_000, first.ptsUs());
            assertEquals(sent.getFirst().track().codec(), first.track().codec());
        }
    }

    @Test
    void brokenFrames_doNotEndTheSession() throws InterruptedException {
        List<AccessUnit> sent = new ArrayList<>(Studio.frames(Studio.settings(SMALL), 0, 75));
        for (int i = 10; i < 20; i++) {
            AccessUnit unit = sent.get(i);
            byte[] noise = new byte[200];
            Arrays.fill(noise, (byte) i);
            sent.set(
                    i,
                    new AccessUnit(
                            unit.track(),
                            unit.dtsTicks(),
                            0,
                            unit.idr(),
                            MemorySegment.ofArray(noise)));
        }
        try (Rig rig = new Rig(true)) {
            rig.send(sent.subList(0, 10));
            sent.subList(10, 20).forEach(rig.publication()::write);
            rig.publication().flush();
            rig.await(() -> rig.counters.brokenUnits() == 10, "broken units");
            // Frames without their references decode to undefined content.
            sent.subList(20, 25).forEach(rig.publication()::write);
            rig.send(sent.subList(25, 75));
            rig.end();

            assertEquals(2_960_000, rig.frames().getLast().ptsUs());
            assertTrue(rig.frames().size() >= 60, "frames: " + rig.frames().size());
            assertEquals(List.of(), rig.events);
        }
    }

    @Test
    void framesStop_audioGoesOnAndTheyComeBackWithAKeyFrame() throws InterruptedException {
        List<AccessUnit> sent = Studio.frames(Studio.settings(SMALL), 0, 50);
        // The rest of a GOP whose key frame was lost, and two GOPs.
        List<AccessUnit> back =
                Studio.frames(Studio.settings(SMALL), 190, 75).stream()
                        .filter(unit -> unit.dtsUs() >= 7_700_000)
                        .toList();
        List<AccessUnit> all = new ArrayList<>(sent);
        all.addAll(back);
        List<AccessUnit> units = Studio.withAudio(all);
        try (Rig rig = new Rig(true)) {
            rig.send(units.stream().filter(unit -> unit.dtsUs() < 2_000_000).toList());
            units.stream()
                    .filter(unit -> unit.dtsUs() >= 2_000_000 && unit.dtsUs() < 7_700_000)
                    .forEach(rig.publication()::write);
            rig.publication().flush();
            rig.await(() -> rig.audio().size() > 350, "audio without frames");
            assertEquals(50, rig.frames().size());
            units.stream()
                    .filter(unit -> unit.dtsUs() >= 7_700_000 && unit.dtsUs() < 8_600_000)
                    .forEach(rig.publication()::write);
            rig.send(units.stream().filter(unit -> unit.dtsUs() >= 8_600_000).toList());
            rig.end();

            assertEquals(1, rig.timelines().size());
            AccessUnit first = rig.frames().get(50);
            assertTrue(first.isKeyFrame());
            assertEquals(215 * 40_000, first.ptsUs());
            assertEquals(100, rig.frames().size());
        }
    }

    @Test
    void reconnect_sameEncoder_isADiscontinuityWithTheSameTrack() throws InterruptedException {
        List<AccessUnit> sent = Studio.frames(Studio.settings(SMALL), 0, 50);
        try (Rig rig = new Rig(true)) {
            rig.send(sent.subList(0, 25));
            rig.publication().close();
            rig.await(() -> rig.program().getLast() instanceof Interruption, "the interruption");
            assertEquals(25, rig.frames().size());
            try (Publication again = rig.publish()) {
                rig.send(again, sent.subList(25, 50));
                rig.awaitFrames(50);
                rig.end();
            }

            assertEquals(2, rig.timelines().size());
            assertEquals(1, rig.frameTracks().size());
            assertEquals(List.of(0, 25), keyFrames(rig.frames()));
        }
    }

    @Test
    void resolution_changedInMidSession_isFollowed() throws InterruptedException {
        FrameFormat larger = new FrameFormat(640, 360, Colour.UNSPECIFIED);
        FlatLayer layer = new FlatLayer(HALF, 255, 255, 255, 255);
        try (Rig rig = new Rig(true)) {
            rig.send(Studio.frames(Studio.settings(SMALL), 0, 25));
            rig.compositor().layers(List.of(layer));
            rig.send(Studio.frames(Studio.settings(larger), 25, 25));
            rig.awaitFrames(50);
            rig.end();

            assertEquals(2, rig.frameTracks().size());
            assertEquals(2, rig.timelines().size());
            CodecConfig.Avc last =
                    assertInstanceOf(CodecConfig.Avc.class, rig.frames().getLast().track().codec());
            assertEquals(640, last.config().width());
            try (Seen seen = Seen.of(rig.frames().subList(25, 50))) {
                CanvasBox box = HALF.pageBox(640, 360);
                assertEquals(235, Seen.mean(seen.last(), 0, box.x() + 20, box.y() + 20), 2);
            }
        }
    }

    private static Colour colourOut(FrameFormat format) throws InterruptedException {
        try (Rig rig = new Rig(true)) {
            rig.send(Studio.frames(Studio.settings(format), 0, 3));
            rig.end();
            try (Seen seen = Seen.of(rig.frames())) {
                return seen.last().format().colour();
            }
        }
    }

    private static List<Long> times(List<AccessUnit> units, boolean video) {
        return units.stream()
                .filter(unit -> unit.track().isVideo() == video)
                .map(AccessUnit::ptsUs)
                .toList();
    }

    private static List<Integer> keyFrames(List<AccessUnit> units) {
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < units.size(); i++) {
            if (units.get(i).isKeyFrame()) {
                indexes.add(i);
            }
        }
        return indexes;
    }
}
