package touchline.overlay.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.DecoderMemory;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoSettings;
import touchline.overlay.Canvas;
import touchline.overlay.Placement;

/** Units that cannot be decoded never end an overlay stream. */
final class OverlayStreamDecoderTest {
    private static final Canvas CANVAS = new Canvas(320, 180, Colour.BT709);

    /** A key frame every fifth frame. */
    private static final List<AccessUnit> VIDEO =
            TestMedia.video(
                    VideoSettings.live(
                                    new FrameFormat(96, 64, Colour.BT709),
                                    FrameRate.of(25),
                                    TestMedia.encoder())
                            .with(new VideoSettings.Gop(5, 0)),
                    15);

    private static final List<AccessUnit> AUDIO =
            TestMedia.audio(
                    new AudioSettings(48_000, 2, 96_000), TestMedia.tones(48_000, 9_600, 440, 440));

    private final long usedBefore = DecoderMemory.usedBytes();
    private final OverlayStreamTime time = new OverlayStreamTime();
    private final OverlayFrameQueue frames = new OverlayFrameQueue();
    private final OverlayStreamAudio overlayAudio = new OverlayStreamAudio();
    private final StreamLayer layer = new StreamLayer(time, frames, /* opacity= */ 1, () -> 0);
    private final OverlayStreamDecoder decoder =
            new OverlayStreamDecoder(
                    new OverlayStreamDecoder.Dependencies(
                            "str_overlay",
                            Placement.DEFAULT,
                            layer,
                            frames,
                            overlayAudio,
                            time,
                            () -> 0));

    @AfterEach
    void nothingIsHeld() {
        DecoderMemory.limit(Long.MAX_VALUE);
        decoder.close();
        assertEquals(usedBefore, DecoderMemory.usedBytes());
    }

    private void begin(Track... tracks) {
        layer.canvas(CANVAS);
        decoder.take(new Timeline(0, List.of(tracks), 0, Instant.ofEpochSecond(7)));
    }

    /** Times of the frames that are shown one after the other. */
    private List<Long> shownMs() {
        List<Long> shown = new ArrayList<>();
        for (long ms = 0; ms < 600; ms += 40) {
            frames.at(ms * 1_000, CANVAS).ifPresent(frame -> shown.add(frame.ptsUs() / 1_000));
        }
        return shown.stream().distinct().toList();
    }

    @Test
    void take_anotherCanvas_scalesFramesForIt() {
        Canvas smaller = new Canvas(160, 90, Colour.BT709);
        begin(VIDEO.getFirst().track());
        decoder.take(VIDEO.getFirst());

        layer.canvas(smaller);
        decoder.take(VIDEO.get(1));

        assertEquals(0, frames.at(0, CANVAS).orElseThrow().ptsUs());
        assertEquals(40_000, frames.at(40_000, smaller).orElseThrow().ptsUs());
        assertTrue(frames.current(CANVAS).isEmpty(), "its frame is over");
    }

    @Test
    void take_unitsBeforeAKeyFrame_areLeftOut() {
        begin(VIDEO.getFirst().track());

        VIDEO.subList(1, 5).forEach(decoder::take);
        assertEquals(List.of(), shownMs());
        VIDEO.subList(5, 7).forEach(decoder::take);

        assertEquals(List.of(200L, 240L), shownMs());
    }

    @Test
    void take_brokenFrame_continuesWithTheNextKeyFrame() {
        begin(VIDEO.getFirst().track());

        for (int i = 0; i < 7; i++) {
            decoder.take(i == 2 ? TestMedia.broken(VIDEO.get(i)) : VIDEO.get(i));
        }

        assertEquals(List.of(0L, 40L, 200L, 240L), shownMs());
    }

    @Test
    void take_brokenAudio_costsItsUnitOnly() {
        begin(AUDIO.getFirst().track());
        AudioRing ring = overlayAudio.format(48_000, 2);

        decoder.take(TestMedia.broken(AUDIO.getFirst()));
        AUDIO.forEach(decoder::take);

        assertTrue(ring.rateHz() > 0);
        time.mainFrame(0, 0);
        assertTrue(time.shiftUs().isPresent(), "audio alone gives the overlay's clock");
    }

    @Test
    void take_afterAnInterruption_waitsForATimeline() {
        begin(VIDEO.getFirst().track(), AUDIO.getFirst().track());
        decoder.take(Interruption.PUBLISHER_GONE);
        assertEquals(usedBefore, DecoderMemory.usedBytes());

        decoder.take(VIDEO.getFirst());
        decoder.take(AUDIO.getFirst());

        assertEquals(List.of(), shownMs());
    }

    @Test
    void begin_withoutMemoryForADecoder_showsNothing_untilTheNextTimeline() {
        DecoderMemory.limit(usedBefore + 1);
        begin(VIDEO.getFirst().track());
        decoder.take(VIDEO.getFirst());
        assertEquals(List.of(), shownMs());
        DecoderMemory.limit(Long.MAX_VALUE);

        begin(VIDEO.getFirst().track());
        decoder.take(VIDEO.getFirst());

        assertEquals(List.of(0L), shownMs());
    }
}
