package touchline.media.rendition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.hub.Feed;
import touchline.media.rendition.RenditionSettings.Rendition;

/** Four sessions of one server that the host does not keep up with. */
@Timeout(120)
final class SharedLoadTest {
    private static final RenditionSettings TWO =
            new RenditionSettings(false, List.of(Rendition.of(180), Rendition.of(144)));

    /** 25 frames a second, a key frame each twelfth. */
    private static final List<AccessUnit> MEDIA =
            RenditionLadderTest.video(new FrameFormat(426, 240, Colour.BT709), 50, 1);

    private final AtomicLong rulesNs = new AtomicLong();
    private final LoadRules rules = new LoadRules(() -> 8, () -> 0, rulesNs::get);
    private final List<Session> sessions = new ArrayList<>();

    /** A session whose clock jumps when its units are to be late. */
    private final class Session {
        private final String id;
        private final Feed program = new Feed();
        private final FakeListener listener = new FakeListener();
        private final AtomicLong clockNs = new AtomicLong();
        private final AtomicLong stepNs = new AtomicLong();
        private final RenditionLadder ladder;
        private int sent;

        Session(String id) {
            this.id = id;
            ladder =
                    new RenditionLadder(
                            id,
                            TWO,
                            new RenditionLadder.Dependencies(
                                    new RenditionEncoding(
                                            TestMedia.encoder(),
                                            VideoSettings.Speed.ULTRAFAST,
                                            1,
                                            false),
                                    rules,
                                    new RenditionCounters(),
                                    listener,
                                    () -> clockNs.addAndGet(stepNs.get())));
            ladder.start(program.subscribe("renditions", RenditionLadder.QUEUE_BYTES));
            listener.ladderStarted(ladder);
            AccessUnit first = MEDIA.getFirst();
            program.offer(new Timeline(0, List.of(first.track()), first.dtsUs(), Instant.EPOCH));
        }

        void send(int upTo) {
            while (sent < upTo) {
                program.offer(MEDIA.get(sent++));
            }
            program.flush();
        }

        void sendLate(int drops) throws InterruptedException {
            RenditionLadderTest.awaitIdleLadder(id);
            stepNs.set(TimeUnit.MILLISECONDS.toNanos(500));
            send(sent + 1);
            listener.awaitDrops(drops);
            stepNs.set(0);
        }
    }

    @AfterEach
    void close() {
        sessions.forEach(each -> each.ladder.close());
        assertEquals(0, rules.running());
    }

    @Test
    void overload_dropsTheLargestOfEach_andCalmBringsAllBack() throws Exception {
        for (int i = 0; i < 4; i++) {
            sessions.add(new Session("ses_" + i));
            sessions.getLast().send(24);
            sessions.getLast().listener.awaitUnits("144p", 20);
        }
        assertEquals(8, rules.running());

        for (int round = 1; round <= 2; round++) {
            for (Session each : sessions) {
                rulesNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
                each.sendLate(round);
            }
            assertEquals(8 - 4 * round, rules.running());
        }
        for (int round = 1; round <= 2; round++) {
            for (Session each : sessions) {
                rulesNs.addAndGet(TimeUnit.SECONDS.toNanos(21));
                // Up to the next key frame.
                each.send(24 + 12 * round + 1);
                each.listener.awaitStarts(2 + round);
            }
            assertEquals(4 * round, rules.running());
        }

        for (Session each : sessions) {
            each.program.end();
            List<Read> read = each.listener.readAll();
            assertEquals(List.of("180p", "144p"), each.listener.dropped);
            assertEquals(
                    List.of("144p", "180p"), read.subList(2, 4).stream().map(Read::name).toList());
            assertTrue(
                    read.stream().allMatch(run -> run.units().getFirst().idr()),
                    "each begins with a key frame");
        }
    }
}
