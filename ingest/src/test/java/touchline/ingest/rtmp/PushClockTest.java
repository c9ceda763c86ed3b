package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.testing.SyntheticStream;

class PushClockTest {
    private static final Track VIDEO = SyntheticStream.VIDEO_TRACK;
    private static final Track AUDIO = SyntheticStream.AUDIO_TRACK;

    private final PushClock clock = new PushClock();

    @Test
    void firstUnit_isAtZero_andTimeBeforeItToo() {
        assertEquals(0, video(3_600_000));
        assertEquals(0, audio(3_599_990));
        assertEquals(33, video(3_600_033));
        assertEquals(11, audio(3_600_011));
    }

    @Test
    void timesRise_whenMediaTimeRepeatsAMillisecond() {
        assertEquals(0, video(0));
        assertEquals(1, video(0));
        assertEquals(33, video(33));
    }

    @Test
    void discontinuity_thatGoesOn_keepsTheGap() {
        video(0);
        video(1_000);
        clock.discontinuity();

        assertEquals(9_000, video(9_000));
    }

    @Test
    void discontinuity_backwards_continuesBehindTheNewest() {
        video(10_000);
        video(20_000);
        clock.discontinuity();

        assertEquals(10_001, video(12_000));
        assertEquals(9_991, audio(11_990));
        assertEquals(10_034, video(12_033));
    }

    @Test
    void presentationTime_isRoundedOnce() {
        // 59.94 frames a second: 1501.5 ticks.
        AccessUnit unit = new AccessUnit(VIDEO, 1_502, 3_003, false, MemorySegment.NULL);

        assertEquals(50 - 17, PushClock.compositionTimeMs(unit));
    }

    private long video(long ms) {
        return clock.timestampMs(new AccessUnit(VIDEO, ms * 90, 0, true, MemorySegment.NULL));
    }

    private long audio(long ms) {
        return clock.timestampMs(new AccessUnit(AUDIO, ms * 48, 0, true, MemorySegment.NULL));
    }
}
