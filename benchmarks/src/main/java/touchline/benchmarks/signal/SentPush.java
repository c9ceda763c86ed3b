package touchline.benchmarks.signal;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import touchline.benchmarks.overlay.TestPush;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.media.hub.Feed;

/** A push that is repeated for ever, each unit at its time. One thread. */
final class SentPush {
    private static final long TICK_NS = 20_000_000;

    private final TestPush push;
    private final Feed feed;
    private final long offsetUs;
    private final int seconds;
    private long round;
    private int next;

    /**
     * @param offsetUs start after that of the others
     * @param seconds of the push
     */
    SentPush(TestPush push, Feed feed, long offsetUs, int seconds) {
        this.push = push;
        this.feed = feed;
        this.offsetUs = offsetUs;
        this.seconds = seconds;
        feed.offer(new Timeline(0, push.tracks(), 0, Instant.EPOCH));
    }

    static void send(List<SentPush> pushes, long startNs, int untilSeconds) {
        long endNs = startNs + untilSeconds * 1_000_000_000L;
        while (System.nanoTime() - endNs < 0) {
            long nowUs = (System.nanoTime() - startNs) / 1_000;
            pushes.forEach(each -> each.sendUntil(nowUs));
            LockSupport.parkNanos(TICK_NS);
        }
    }

    private void sendUntil(long nowUs) {
        long shiftUs = round * seconds * 1_000_000L;
        AccessUnit unit = push.units().get(next);
        while (unit.dtsUs() + shiftUs + offsetUs <= nowUs) {
            long ticks = unit.dtsTicks() + unit.track().timescale().fromUs(shiftUs);
            feed.offer(unit.at(unit.track(), ticks, unit.compositionTimeOffsetTicks()));
            next++;
            if (next == push.units().size()) {
                next = 0;
                round++;
                shiftUs = round * seconds * 1_000_000L;
            }
            unit = push.units().get(next);
        }
        feed.flush();
    }
}
