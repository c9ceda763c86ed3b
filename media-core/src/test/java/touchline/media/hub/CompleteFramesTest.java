package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.testing.SyntheticStream;

final class CompleteFramesTest {
    private static final Track VIDEO = SyntheticStream.VIDEO_TRACK;
    private static final Track AUDIO = SyntheticStream.AUDIO_TRACK;
    private static final long FRAME_US = 33_333;
    private static final int FRAME_TICKS = 3_000;

    private final CompleteFrames complete = new CompleteFrames();
    private final List<AccessUnit> out = new ArrayList<>();

    /**
     * Two B-frames between two P-frames, as x264 and others send them.
     *
     * @param delay frames by which all are shown later than their B-frames need
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void bFrames_ofAnEncoderWithDelay_waitForTheNextTwoOnly(int delay) {
        for (int i = 0; i < 300; i++) {
            int inGop = i % 60;
            int shown = inGop == 0 ? i : i + (inGop % 3 == 1 ? 2 : -1);
            boolean isLastB = inGop % 3 == 0;
            write(frame(i, Math.min(shown, i - inGop + 59) + 1 + delay, inGop == 0));
            write(audio(i));
            if (i >= 60 && isLastB) {
                assertEquals(i + 1, frames(), "complete at frame " + i);
            }
            assertTrue(i - frames() < 2 + 1, i + " frames, passed: " + frames());
        }
        for (int i = 1; i < out.size(); i++) {
            if (out.get(i).track().equals(out.get(i - 1).track())) {
                assertTrue(out.get(i).dtsTicks() > out.get(i - 1).dtsTicks());
            }
        }
    }

    @Test
    void frames_withoutBFrames_doNotWait() {
        for (int i = 0; i < 100; i++) {
            write(frame(i, i, i == 0));
            assertEquals(i + 1, frames());
        }
    }

    /** What is announced for much later does not hold the programme. */
    @Test
    void frame_farAheadOfItsTime_holdsTheOthersForASecondAtMost() {
        write(frame(0, 0, true));
        write(frame(1, 300, false));
        for (int i = 2; i < 100; i++) {
            write(frame(i, i, false));
            assertTrue(i - frames() <= 31, i + " frames, passed: " + frames());
        }
    }

    private long frames() {
        return out.stream().filter(unit -> unit.track().isVideo()).count();
    }

    private void write(AccessUnit unit) {
        complete.add(
                new CompleteFrames.Written(unit, false, PublishSource.PRIMARY, 0),
                FRAME_US,
                each -> out.add((AccessUnit) each.item()));
    }

    private static AccessUnit frame(int decoded, int shown, boolean key) {
        return new AccessUnit(
                VIDEO,
                (long) decoded * FRAME_TICKS,
                (shown - decoded) * FRAME_TICKS,
                key,
                MemorySegment.ofArray(new byte[10]));
    }

    private static AccessUnit audio(int frame) {
        return new AccessUnit(AUDIO, frame * 1_600L, 0, true, MemorySegment.ofArray(new byte[10]));
    }
}
