package touchline.media.rendition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.DecoderMemory;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.hub.Feed;
import touchline.media.rendition.RenditionSettings.Rendition;
import touchline.testing.SyntheticStream;

/** Renditions end before their program, without an end of their session. */
@Timeout(120)
final class RenditionEndTest {
    private static final List<AccessUnit> MEDIA =
            RenditionLadderTest.video(new FrameFormat(320, 180, Colour.BT709), 24, 1);

    private final long usedBefore = DecoderMemory.usedBytes();
    private final Feed program = new Feed();
    private final RenditionCounters counters = new RenditionCounters();
    private final FakeListener listener = new FakeListener();
    private final LoadRules rules = new LoadRules(() -> 10, () -> 0, () -> 0);
    private final RenditionLadder ladder =
            new RenditionLadder(
                    "ses_1",
                    new RenditionSettings(false, List.of(Rendition.of(144))),
                    new RenditionLadder.Dependencies(
                            new RenditionEncoding(
                                    TestMedia.encoder(),
                                    VideoSettings.Speed.ULTRAFAST,
                                    /* threads= */ 1,
                                    /* hardwareDecoder= */ false),
                            rules,
                            counters,
                            listener,
                            () -> 0));

    @AfterEach
    void nothingIsHeld() {
        ladder.close();
        DecoderMemory.limit(Long.MAX_VALUE);
        assertEquals(0, rules.running(), "places");
        assertEquals(0, counters.running(), "encoders");
        assertEquals(usedBefore, DecoderMemory.usedBytes());
    }

    private void start() {
        ladder.start(program.subscribe("renditions", RenditionLadder.QUEUE_BYTES));
        listener.ladderStarted(ladder);
    }

    private void send(int sequence, List<AccessUnit> units) {
        AccessUnit first = units.getFirst();
        program.offer(
                new Timeline(
                        sequence, List.of(first.track()), first.dtsUs(), Instant.ofEpochSecond(7)));
        units.forEach(program::offer);
        program.flush();
    }

    @Test
    void timelineWithoutVideo_endsTheRenditions_withVideoTheyStartAgain() throws Exception {
        start();
        send(0, MEDIA);
        program.offer(Interruption.PUBLISHER_GONE);
        program.flush();
        listener.awaitUnits("144p", MEDIA.size());
        send(1, SyntheticStream.standard().withoutVideo().seconds(0.1).units());
        send(2, RenditionLadderTest.video(new FrameFormat(320, 180, Colour.BT709), 12, 9));
        program.end();

        List<Read> read = listener.readAll();

        assertEquals(List.of("144p"), listener.ended);
        assertEquals(List.of(24, 12), read.stream().map(each -> each.units().size()).toList());
        assertEquals(2, read.getLast().timelines().getFirst().sequence());
        assertEquals(List.of(), listener.dropped);
    }

    @Test
    void videoThatIsNotDecoded_isReportedOnce_theNextTimelineIsTriedAgain() throws Exception {
        DecoderMemory.limit(usedBefore + 1);
        start();
        send(0, MEDIA);
        program.offer(Interruption.PUBLISHER_GONE);
        program.flush();
        listener.awaitRefusals(1);
        DecoderMemory.limit(Long.MAX_VALUE);
        send(1, MEDIA);
        program.end();

        List<Read> read = listener.readAll();

        assertEquals(1, listener.refused.size());
        assertEquals(DecodingRefusedException.Limit.MEMORY, listener.refused.getFirst().limit());
        assertEquals(List.of(24), read.stream().map(each -> each.units().size()).toList());
    }

    @Test
    void internalError_dropsTheRenditions() throws Exception {
        start();
        send(0, MEDIA.subList(0, 12));
        listener.awaitUnits("144p", 1);
        listener.fails = true;
        MEDIA.subList(12, 24).forEach(program::offer);
        program.flush();

        List<Read> read = listener.readAll();

        assertEquals(1, read.size());
        assertEquals(List.of("144p"), listener.dropped);
        assertEquals(List.of("an internal error"), listener.reasons);
    }
}
