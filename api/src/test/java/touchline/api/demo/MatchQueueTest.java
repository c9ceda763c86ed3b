package touchline.api.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoSettings;

final class MatchQueueTest {
    private static final Track VIDEO = track();

    private final MatchQueue queue = new MatchQueue();

    @Test
    void put_shut_keepsNothing() throws InterruptedException {
        queue.put(unit(0, true));

        assertEquals(Optional.empty(), queue.take(Duration.ZERO));
    }

    @Test
    void open_startsWithKeyFrame() throws InterruptedException {
        queue.open();
        assertTrue(queue.needsKeyFrame());
        queue.put(unit(0, false));
        queue.put(unit(1, true));
        queue.put(unit(2, false));

        assertFalse(queue.needsKeyFrame());
        assertEquals(1, queue.take(Duration.ZERO).orElseThrow().dtsTicks());
        assertEquals(2, queue.take(Duration.ZERO).orElseThrow().dtsTicks());
    }

    @Test
    void put_full_dropsToTheNextKeyFrame() throws InterruptedException {
        queue.open();
        for (int i = 0; i < 257; i++) {
            queue.put(unit(i, i == 0));
        }
        assertEquals(256, queue.dropped());
        assertTrue(queue.needsKeyFrame());
        queue.put(unit(300, true));

        assertEquals(300, queue.take(Duration.ZERO).orElseThrow().dtsTicks());
    }

    private static Track track() {
        FrameFormat format = new FrameFormat(320, 240, Colour.BT709);
        VideoSettings settings =
                VideoSettings.live(
                        format, FrameRate.of(25), Ffmpeg.encoders().best().orElseThrow());
        try (VideoEncoder encoder = VideoEncoder.open(settings)) {
            return encoder.track();
        }
    }

    private static AccessUnit unit(long dts, boolean idr) {
        return new AccessUnit(VIDEO, dts, 0, idr, MemorySegment.ofArray(new byte[1]));
    }
}
