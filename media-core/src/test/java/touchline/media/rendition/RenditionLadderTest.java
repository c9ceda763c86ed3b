package touchline.media.rendition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FrameView;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.hub.Feed;
import touchline.media.rendition.RenditionSettings.Rendition;
import touchline.testing.Await;
import touchline.testing.Threads;

@Timeout(120)
final class RenditionLadderTest {
    private static final Instant STARTED = Instant.parse("2026-05-01T12:00:00Z");
    private static final FrameFormat WIDE = new FrameFormat(426, 240, Colour.BT709);
    private static final RenditionSettings TWO =
            new RenditionSettings(false, List.of(Rendition.of(180), Rendition.of(144)));

    /** Key frames every half second. */
    private static final List<AccessUnit> MEDIA = video(WIDE, 50, 1);

    private final Feed program = new Feed();
    private final RenditionCounters counters = new RenditionCounters();
    private final AtomicLong stepNs = new AtomicLong();
    private final AtomicLong clockNs = new AtomicLong();
    private final AtomicLong rulesNs = new AtomicLong();
    private final FakeListener listener = new FakeListener();
    private int limit = 10;
    private final LoadRules rules = new LoadRules(() -> limit, () -> 0, rulesNs::get);
    private RenditionLadder ladder = ladder(TWO);

    @AfterEach
    void close() {
        ladder.close();
        assertEquals(0, rules.running(), "places");
        assertEquals(0, counters.running(), "encoders");
        assertEquals(List.of(), listener.refused);
    }

    @Test
    void passthrough_eachUnit_hasOneInEveryRendition() throws Exception {
        start();
        send(0, MEDIA);
        program.end();

        List<Read> read = listener.readAll();

        assertEquals(
                List.of("180p", "144p"),
                read.stream().map(Read::name).sorted().toList().reversed());
        for (Read each : read) {
            assertEquals(dts(MEDIA), dts(each.units()), each.name());
            assertEquals(keys(MEDIA), keys(each.units()), each.name());
            assertTrue(each.units().stream().allMatch(unit -> unit.ptsTicks() >= unit.dtsTicks()));
            assertEquals(1, each.timelines().size());
            assertEquals(STARTED, each.timelines().getFirst().startedAt());
            Frames.assertSame(MEDIA, each.units());
        }
        assertEquals("320x180", size(listener.find("180p")));
        assertEquals("256x144", size(listener.find("144p")));
        assertEquals(50, counters.of(180).frames());
    }

    @Test
    void brokenUnit_isTheFrameBefore() throws Exception {
        List<AccessUnit> broken = new ArrayList<>(MEDIA);
        broken.set(7, TestMedia.broken(broken.get(7)));
        start();
        send(0, broken);
        program.end();

        for (Read each : listener.readAll()) {
            assertEquals(dts(MEDIA), dts(each.units()));
        }
    }

    @Test
    void newTimeline_ofAnotherSize_isResolvedAgain() throws Exception {
        start();
        send(0, MEDIA);
        program.offer(Interruption.PUBLISHER_GONE);
        List<AccessUnit> small = video(new FrameFormat(288, 162, Colour.BT709), 25, 10);
        send(1, small);
        program.end();

        List<Read> read = listener.readAll();

        assertEquals(List.of("180p"), listener.ended);
        assertEquals(List.of(180), listener.leftOut);
        Read both = listener.find("144p", read);
        assertEquals(2, both.timelines().size());
        assertEquals(1, both.timelines().getLast().sequence());
        assertEquals(dts(small), dts(both.units().subList(50, both.units().size())));
    }

    @Test
    void lowerFrameRate_isASubset() throws Exception {
        ladder.close();
        ladder =
                ladder(
                        new RenditionSettings(
                                false, List.of(new Rendition(180, 0, 12.5), Rendition.of(144))));
        start();
        send(0, MEDIA);
        program.end();

        List<Read> read = listener.readAll();

        List<Long> half = dts(listener.find("180p", read).units());
        assertTrue(half.size() >= 25 && half.size() <= 28, half::toString);
        assertTrue(dts(MEDIA).containsAll(half));
        assertEquals(keys(MEDIA), keys(listener.find("180p", read).units()));
        assertEquals(dts(MEDIA), dts(listener.find("144p", read).units()));
    }

    @Test
    void compositedFrames_areNotDecoded() throws Exception {
        List<AccessUnit> plain = video(WIDE, 10, 0, 0);
        try (VideoFrame drawn = VideoFrame.allocate(WIDE)) {
            for (AccessUnit unit : plain) {
                VideoFrame copy = VideoFrame.copyOf(drawn.view(), Colour.BT709);
                fill(copy, 200);
                copy.ptsTicks(unit.ptsTicks());
                assertTrue(ladder.tap().isDue(unit.ptsTicks()));
                ladder.tap().offer(copy);
            }
        }
        start();
        send(0, plain);
        program.end();

        List<Read> read = listener.readAll();

        assertEquals(dts(plain), dts(listener.find("144p", read).units()));
        assertEquals(0, counters.nanos(RenditionCounters.Stage.DECODE));
        assertEquals(200, Frames.luma(listener.find("144p", read).units()), 3);
    }

    @Test
    void heightThatTheEncoderSends_isMadeAgainWhenItIsGone() throws Exception {
        listener.provided = Set.of(180);
        start();
        send(0, MEDIA);
        program.offer(Interruption.PUBLISHER_GONE);
        program.flush();
        listener.awaitUnits("144p", 50);
        assertEquals(0, counters.of(180).frames());
        listener.provided = Set.of();
        send(1, video(WIDE, 50, 10));
        program.end();

        List<Read> read = listener.readAll();
        assertEquals(List.of("144p", "180p"), read.stream().map(Read::name).toList());
        assertEquals(100, counters.of(144).frames());
        assertEquals(50, counters.of(180).frames());
    }

    @Test
    void limit_keepsTheSmallest() throws Exception {
        limit = 1;
        start();
        send(0, MEDIA);
        program.end();

        List<Read> read = listener.readAll();

        assertEquals(List.of("144p"), read.stream().map(Read::name).toList());
        assertEquals(List.of("180p"), listener.dropped);
        assertEquals(1, counters.of(180).dropped());
    }

    @Test
    void lateUnits_dropTheLargestFirst() throws Exception {
        start();
        // Less than a second: what arrives at once is no live push.
        send(0, MEDIA.subList(0, 24));
        listener.awaitUnits("144p", 20);
        stepNs.set(TimeUnit.MILLISECONDS.toNanos(500));
        program.offer(MEDIA.get(24));
        program.flush();
        listener.awaitDrops(1);
        program.end();

        assertEquals("180p", listener.dropped.getFirst());
        assertEquals(2, listener.readAll().size());
    }

    /** The first session of a server opens its encoders slowly. */
    @Test
    void lateUnits_atTheStart_areNoLoad() throws Exception {
        start();
        send(0, MEDIA.subList(0, 13));
        listener.awaitUnits("144p", 8);
        awaitIdleLadder("ses_1");
        stepNs.set(TimeUnit.MILLISECONDS.toNanos(500));
        program.offer(MEDIA.get(13));
        program.flush();
        listener.awaitUnits("144p", 9);
        stepNs.set(0);
        program.end();

        assertEquals(2, listener.readAll().size());
        assertEquals(List.of(), listener.dropped);
    }

    @Test
    void dropped_comesBackAfterASteadyWhile_withAKeyFrame() throws Exception {
        start();
        send(0, MEDIA.subList(0, 10));
        listener.late = Set.of("180p");
        offerSlowly(10, 30);
        listener.awaitDrops(1);
        listener.late = Set.of();
        rulesNs.addAndGet(TimeUnit.SECONDS.toNanos(21));

        offerSlowly(30, 50);
        program.end();

        List<Read> read = listener.readAll();
        assertEquals(List.of("180p"), listener.dropped);
        assertEquals(List.of("180p", "144p", "180p"), listener.startedBySize());
        Read again = read.getLast();
        assertTrue(again.units().getFirst().idr());
        assertTrue(dts(MEDIA).containsAll(dts(again.units())));
        assertEquals(dts(MEDIA), dts(listener.find("144p", read).units()));
    }

    /** Not faster than it is encoded. */
    private void offerSlowly(int from, int to) throws InterruptedException {
        for (int i = from; i < to; i++) {
            program.offer(MEDIA.get(i));
            program.flush();
            listener.awaitUnits("144p", i - 8);
        }
    }

    @Test
    void sourceOfTheSameSize_hasNoRendition() throws Exception {
        ladder.close();
        ladder = ladder(RenditionSettings.AUTO);
        start();
        send(0, MEDIA);
        program.end();

        assertEquals(List.of(), listener.readAll());
        assertEquals(List.of(), ladder.status());
    }

    @Test
    void close_whileRunning_endsTheFeeds() throws Exception {
        start();
        send(0, MEDIA.subList(0, 30));
        listener.awaitUnits("144p", 5);

        ladder.close();

        assertEquals(2, listener.readAll().size());
    }

    private RenditionLadder ladder(RenditionSettings settings) {
        H264Encoder encoder = TestMedia.encoder();
        return new RenditionLadder(
                "ses_1",
                settings,
                new RenditionLadder.Dependencies(
                        new RenditionEncoding(encoder, VideoSettings.Speed.ULTRAFAST, 1, false),
                        rules,
                        counters,
                        listener,
                        this::nanoTime));
    }

    /**
     * Its thread has taken all units: from then on each reading of the clock is of the next one.
     */
    static void awaitIdleLadder(String session) {
        Thread thread = Threads.named("ladder-" + session).orElseThrow();
        Await.until(() -> calls(thread).containsAll(List.of("await", "drain")));
    }

    private static Set<String> calls(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .map(StackTraceElement::getMethodName)
                .collect(Collectors.toSet());
    }

    private long nanoTime() {
        return clockNs.addAndGet(stepNs.get());
    }

    private void start() {
        ladder.start(program.subscribe("renditions", RenditionLadder.QUEUE_BYTES));
        listener.ladderStarted(ladder);
    }

    private void send(int sequence, List<AccessUnit> units) {
        AccessUnit first = units.getFirst();
        program.offer(new Timeline(sequence, List.of(first.track()), first.dtsUs(), STARTED));
        units.forEach(program::offer);
        program.flush();
    }

    static List<AccessUnit> video(FrameFormat format, int frames, long startSeconds) {
        return video(format, frames, startSeconds, 2);
    }

    private static List<AccessUnit> video(
            FrameFormat format, int frames, long startSeconds, int bFrames) {
        VideoSettings settings =
                VideoSettings.live(format, FrameRate.of(25), TestMedia.encoder())
                        .with(new VideoSettings.Gop(12, bFrames))
                        .with(new VideoSettings.Tuning(VideoSettings.Speed.ULTRAFAST, 1, false));
        return TestMedia.video(settings, frames).stream()
                .map(
                        unit ->
                                unit.at(
                                        unit.track(),
                                        unit.dtsTicks() + startSeconds * 90_000,
                                        unit.compositionTimeOffsetTicks()))
                .toList();
    }

    private static List<Long> dts(List<AccessUnit> units) {
        return units.stream().map(AccessUnit::dtsTicks).toList();
    }

    private static Set<Long> keys(List<AccessUnit> units) {
        Set<Long> keys = new TreeSet<>();
        units.stream().filter(AccessUnit::idr).forEach(unit -> keys.add(unit.ptsTicks()));
        return keys;
    }

    private static String size(Read read) {
        CodecConfig.Avc codec = (CodecConfig.Avc) read.units().getFirst().track().codec();
        return codec.config().width() + "x" + codec.config().height();
    }

    private static void fill(VideoFrame frame, int value) {
        for (FrameView.Plane plane : frame.planes()) {
            plane.samples().fill((byte) value);
        }
    }
}
