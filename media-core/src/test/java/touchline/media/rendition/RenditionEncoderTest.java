package touchline.media.rendition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.hub.FeedReader;
import touchline.testing.SyntheticStream;

@Timeout(60)
final class RenditionEncoderTest {
    private static final FrameFormat SMALL = new FrameFormat(96, 64, Colour.BT709);
    private static final FrameFormat SMALLER = new FrameFormat(64, 48, Colour.BT709);
    private static final RenditionFormat FORMAT = new RenditionFormat(64, 96, 64, 200_000, 0);

    private final RenditionCounters counters = new RenditionCounters();
    private final List<VideoFrame> given = new ArrayList<>();
    private final RenditionEncoder encoder = new RenditionEncoder("ses_1", FORMAT, counters);

    @AfterEach
    void nothingIsHeld() {
        encoder.close();
        assertEquals(0, counters.running());
        for (VideoFrame frame : given) {
            assertThrows(IllegalStateException.class, frame::view, "closed");
        }
    }

    private static EncodedStream stream(FrameFormat format) {
        return new EncodedStream(
                format,
                /* onGpu= */ false,
                /* sampleAspect= */ 1,
                FrameRate.of(25),
                200_000,
                new RenditionEncoding(
                        TestMedia.encoder(),
                        VideoSettings.Speed.ULTRAFAST,
                        /* threads= */ 1,
                        /* hardwareDecoder= */ false));
    }

    private static Timeline timeline(int sequence) {
        return new Timeline(
                sequence, List.of(SyntheticStream.VIDEO_TRACK), 0, Instant.ofEpochSecond(7));
    }

    private void encode(FrameFormat format, int... numbers) throws InterruptedException {
        for (int number : numbers) {
            VideoFrame frame = VideoFrame.allocate(format);
            frame.planes().forEach(plane -> plane.samples().fill((byte) (60 + number)));
            given.add(frame);
            var times = new FrameTimes.Times(number * 3_600L - 100, number * 3_600L, false);
            encoder.encode(new EncodingItem.Frame(frame, times), /* patienceNs= */ 0);
        }
    }

    private static List<FeedItem> readAll(FeedReader reader) throws InterruptedException {
        List<FeedItem> items = new ArrayList<>();
        try (reader) {
            while (reader.drain(items::add)) {}
        }
        return items;
    }

    private static List<Long> pts(List<FeedItem> items) {
        return items.stream()
                .filter(AccessUnit.class::isInstance)
                .map(item -> ((AccessUnit) item).ptsTicks())
                .toList();
    }

    @Test
    void encode_timelines_haveTheProgramsTimes() throws Exception {
        assertEquals(Optional.empty(), encoder.codecs());
        FeedReader reader = encoder.start();
        encoder.begin(timeline(3), FORMAT, stream(SMALL));
        encode(SMALL, 0, 1, 2);
        encoder.finish();
        encoder.awaitEnd();

        List<FeedItem> items = readAll(reader);

        Timeline begun = (Timeline) items.getFirst();
        assertEquals(3, begun.sequence());
        assertEquals(Instant.ofEpochSecond(7), begun.startedAt());
        assertEquals(List.of(0L, 3_600L, 7_200L), pts(items));
        AccessUnit first = (AccessUnit) items.get(1);
        assertTrue(first.isKeyFrame());
        assertEquals(-100, first.dtsTicks());
        assertTrue(encoder.codecs().orElseThrow().startsWith("avc1."), encoder.codecs()::toString);
        assertEquals(FORMAT, encoder.format());
        assertEquals(3, counters.of(64).frames());
    }

    @Test
    void encode_timeRepeated_isLeftOut() throws Exception {
        FeedReader reader = encoder.start();
        encode(SMALL, 0);
        encoder.begin(timeline(0), FORMAT, stream(SMALL));
        encode(SMALL, 1, 1, 0, 2);
        encoder.finish();
        encoder.awaitEnd();

        assertEquals(List.of(3_600L, 7_200L), pts(readAll(reader)));
    }

    @Test
    void begin_anotherSize_opensAnotherEncoder() throws Exception {
        FeedReader reader = encoder.start();
        encoder.begin(timeline(0), FORMAT, stream(SMALL));
        encode(SMALL, 0, 1);
        encoder.begin(timeline(1), FORMAT, stream(SMALLER));
        encode(SMALLER, 2, 3);
        encoder.finish();
        encoder.awaitEnd();

        List<FeedItem> items = readAll(reader);

        List<Timeline> timelines =
                items.stream()
                        .filter(Timeline.class::isInstance)
                        .map(Timeline.class::cast)
                        .toList();
        assertEquals(2, timelines.size());
        assertNotEquals(timelines.get(0).tracks(), timelines.get(1).tracks());
        assertEquals(List.of(0L, 3_600L, 7_200L, 10_800L), pts(items));
        assertTrue(((AccessUnit) items.get(4)).isKeyFrame());
    }

    /** A gap is not allowed: the rendition cannot go on. */
    @Test
    void encode_moreFramesThanWait_isAFailure_theFrameIsClosed() throws Exception {
        for (int i = 0; i < RenditionEncoder.MAX_FRAMES; i++) {
            encode(SMALL, i);
        }
        assertEquals(Optional.empty(), encoder.failure());

        encode(SMALL, RenditionEncoder.MAX_FRAMES);

        assertEquals(Optional.of("its encoder does not keep up"), encoder.failure());
        assertEquals(1, counters.of(64).queueDrops());
        assertThrows(IllegalStateException.class, given.getLast()::view);
        FeedReader reader = encoder.start();
        encoder.close();
        assertEquals(List.of(), pts(readAll(reader)));
    }

    /** H.264 in 4:2:0 has no odd sizes. */
    @Test
    void begin_sizeThatNoEncoderTakes_isAFailure_theFeedEnds() throws Exception {
        FeedReader reader = encoder.start();
        encoder.begin(timeline(0), FORMAT, stream(new FrameFormat(1, 1, Colour.BT709)));

        assertEquals(List.of(), readAll(reader));

        encoder.awaitEnd();
        String failure = encoder.failure().orElseThrow();
        assertTrue(failure.startsWith("its encoder failed: "), failure);
    }

    @Test
    void close_interruptedCaller_waitsAndStaysInterrupted() throws Exception {
        FeedReader reader = encoder.start();

        Thread.currentThread().interrupt();
        encoder.close();

        assertTrue(Thread.interrupted());
        assertEquals(0, counters.running());
        assertEquals(List.of(), readAll(reader));
    }
}
