package touchline.media.rendition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.DecoderMemory;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoFrame;

final class FrameSupplyTest {
    private static final FrameFormat FORMAT = new FrameFormat(96, 64, Colour.BT709);

    /** A key frame every 12 frames. */
    private static final List<AccessUnit> MEDIA = RenditionLadderTest.video(FORMAT, 36, 1);

    /** A frame that was passed on, and the time it was passed for. */
    private record Passed(long framePts, FrameTimes.Times times) {}

    private final long usedBefore = DecoderMemory.usedBytes();
    private final CompositedFrames composited = new CompositedFrames();
    private final RenditionCounters counters = new RenditionCounters();
    private final List<Passed> passed = new ArrayList<>();
    private final List<VideoFrame> drawn = new ArrayList<>();
    private boolean outputFails;
    private final FrameSupply supply =
            new FrameSupply("ses_1", composited, counters, /* gpuAllowed= */ false, this::output);

    @AfterEach
    void nothingIsHeld() {
        DecoderMemory.limit(Long.MAX_VALUE);
        supply.close();
        composited.close();
        for (VideoFrame frame : drawn) {
            assertThrows(IllegalStateException.class, frame::view, "closed");
        }
        assertEquals(usedBefore, DecoderMemory.usedBytes());
    }

    private void output(VideoFrame frame, FrameTimes.Times times) {
        if (outputFails) {
            throw new IllegalStateException("for the test");
        }
        passed.add(new Passed(frame.ptsTicks(), times));
    }

    private void accept(List<AccessUnit> units) throws InterruptedException {
        for (AccessUnit unit : units) {
            supply.accept(unit);
        }
    }

    /** The compositor draws the frame of a unit. */
    private void draw(AccessUnit unit) {
        VideoFrame frame = VideoFrame.allocate(FORMAT);
        frame.ptsTicks(unit.ptsTicks());
        composited.want(true);
        composited.offer(frame);
        drawn.add(frame);
    }

    private List<Long> framePts() {
        return passed.stream().map(Passed::framePts).toList();
    }

    private List<Long> timesPts() {
        return passed.stream().map(each -> each.times().ptsTicks()).toList();
    }

    private static List<Long> pts(List<AccessUnit> units) {
        return units.stream().map(AccessUnit::ptsTicks).sorted().toList();
    }

    @Test
    void accept_unitsBeforeAKeyFrame_areIgnored() throws Exception {
        accept(MEDIA.subList(1, 12));
        assertEquals(0, counters.nanos(RenditionCounters.Stage.DECODE));

        accept(MEDIA.subList(12, 24));
        supply.end();

        assertEquals(pts(MEDIA.subList(12, 24)), framePts());
        assertEquals(framePts(), timesPts());
    }

    @Test
    void accept_frameThatTheCompositorLacks_isTheOneBefore() throws Exception {
        List<AccessUnit> inOrder = inOrder();
        draw(inOrder.get(0));
        draw(inOrder.get(2));

        accept(inOrder.subList(0, 3));

        assertTrue(supply.usesComposited());
        long first = inOrder.get(0).ptsTicks();
        assertEquals(List.of(first, first, inOrder.get(2).ptsTicks()), framePts());
        assertEquals(pts(inOrder.subList(0, 3)), timesPts());
        assertEquals(0, counters.nanos(RenditionCounters.Stage.DECODE));
    }

    /** It may only be late: one GOP is shown as it was, the next one is decoded. */
    @Test
    void accept_compositorHasEnded_isDecodedAfterAWholeGopWithoutFrames() throws Exception {
        List<AccessUnit> inOrder = inOrder();
        draw(inOrder.getFirst());

        accept(inOrder.subList(0, 24));
        assertTrue(supply.usesComposited());
        assertEquals(0, counters.nanos(RenditionCounters.Stage.DECODE));
        accept(inOrder.subList(24, 36));
        supply.end();

        assertFalse(supply.usesComposited());
        assertEquals(pts(inOrder), timesPts());
        assertEquals(inOrder.getLast().ptsTicks(), framePts().getLast());
    }

    @Test
    void end_lastUnitIsBroken_passesTheFrameBeforeForIt() throws Exception {
        List<AccessUnit> gop = new ArrayList<>(MEDIA.subList(0, 12));
        gop.set(11, TestMedia.broken(gop.get(11)));

        accept(gop);
        supply.end();

        assertEquals(pts(gop), timesPts());
        assertEquals(1, counters.brokenUnits());
    }

    /** A decoder that returns nothing more does not stop the rendition. */
    @Test
    void accept_moreBrokenUnitsThanWait_repeatsTheLastFrame() throws Exception {
        List<AccessUnit> units = new ArrayList<>(MEDIA.subList(0, 12));
        AccessUnit last = units.getLast();
        for (int i = 1; i <= 100; i++) {
            units.add(TestMedia.broken(last.at(last.track(), last.dtsTicks() + i * 3_600L, 7_200)));
        }

        accept(units);
        int beforeTheEnd = passed.size();
        supply.end();

        assertTrue(beforeTheEnd >= 112 - 65, "before the end: " + beforeTheEnd);
        assertEquals(pts(units), timesPts());
        assertTrue(pts(MEDIA.subList(0, 12)).containsAll(framePts()));
        assertEquals(100, counters.brokenUnits());
    }

    @Test
    void accept_withoutMemoryForADecoder_isRefused() {
        DecoderMemory.limit(usedBefore + 1);

        assertThrows(DecodingRefusedException.class, () -> supply.accept(MEDIA.getFirst()));

        assertEquals(0, counters.brokenUnits());
    }

    @Test
    void withoutGpu_goesOnWithTheNextKeyFrame() throws Exception {
        accept(MEDIA.subList(0, 4));
        passed.clear();

        supply.withoutGpu("for the test");
        accept(MEDIA.subList(4, 24));
        supply.end();

        assertEquals(pts(MEDIA.subList(12, 24)), timesPts());
        assertEquals(timesPts(), framePts());
    }

    @Test
    void pause_dropsWhatWaits() throws Exception {
        accept(MEDIA.subList(0, 6));
        passed.clear();

        supply.pause();
        assertEquals(usedBefore, DecoderMemory.usedBytes());
        supply.end();

        assertEquals(List.of(), passed);
    }

    /** The decoder still holds frames when the compositor takes over. */
    @Test
    void accept_outputThatFailsAtTheTakeOver_closesTheDrawnFrame() throws Exception {
        if (TestMedia.encoder() == H264Encoder.OPENH264) {
            System.out.println("skipped: the natives under the LGPL encode no B-frames");
            Assumptions.abort("no encoder with B-frames");
        }
        accept(MEDIA.subList(0, 12));
        draw(MEDIA.get(12));
        outputFails = true;

        assertThrows(IllegalStateException.class, () -> supply.accept(MEDIA.get(12)));

        assertThrows(IllegalStateException.class, drawn.getFirst()::view);
    }

    /** Presentation order, as a compositor's units have it. */
    private static List<AccessUnit> inOrder() {
        List<AccessUnit> inOrder = new ArrayList<>();
        for (int i = 0; i < MEDIA.size(); i++) {
            AccessUnit unit = MEDIA.get(i);
            inOrder.add(unit.at(unit.track(), pts(MEDIA).get(i), 0));
        }
        return inOrder;
    }
}
