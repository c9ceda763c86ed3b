package touchline.packager.hls;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.Timeline;
import touchline.media.hub.VideoGap;

/**
 * Passes the units of timelines to the {@link PartCutter}. If the frames of a timeline stop while
 * its audio goes on, audio continues beside the newest key frame, which is repeated: players stall
 * where one of two tracks is missing. The frames come back with a key frame. The packager's thread.
 *
 * <p>From then on audio waits for frames as long as these are away at the start. So no repeated
 * frame lies behind the key frame that the frames come back with.
 *
 * <pre>
 * frames   |K========|K - - - - |K - - - - |K - -|K=======
 * audio    |==============================================
 *           as sent   one for each part           as sent
 * </pre>
 */
final class MissingFrames {
    private static final Logger log = LoggerFactory.getLogger(MissingFrames.class);

    /** Audio waits no longer at first. */
    private static final long MAX_WAIT_US = 5_000_000;

    /** Added to the wait when frames come back later than that. */
    private static final long MARGIN_US = 100_000;

    /** If a timeline's audio goes on longer than this without frames, it is published too. */
    private static final long MAX_LONGER_US = 500_000;

    private final SessionId session;
    private final PartCutter cutter;
    private final RepeatedFrames repeats;
    private final VideoGap gap = new VideoGap();
    private final ArrayDeque<AccessUnit> waiting = new ArrayDeque<>();

    /** The current timeline has frames and audio. */
    private boolean hasBoth;

    /** The newest one of the timeline. */
    private @Nullable AccessUnit keyFrame;

    /** Frames are away. */
    private boolean holding;

    /** Decode time of the next repeated frame, and of the one before, in their track's ticks. */
    private long nextTicks;

    private long newestTicks;

    private long waitUs;

    MissingFrames(SessionId session, PartCutter cutter, RepeatedFrames repeats) {
        this.session = session;
        this.cutter = cutter;
        this.repeats = repeats;
    }

    void begin(Timeline started) {
        clear();
        hasBoth = started.tracks().size() > 1;
        cutter.begin(started);
    }

    void accept(AccessUnit unit) throws InterruptedException {
        if (!hasBoth) {
            cutter.accept(unit);
        } else if (unit.track().isVideo()) {
            acceptFrame(unit);
        } else {
            acceptAudio(unit);
        }
    }

    /** The timeline is over: publishes what waits, and audio that came without frames. */
    void end() throws InterruptedException {
        AccessUnit held = keyFrame;
        boolean endsAlone = gap.behindUs() > MAX_LONGER_US && !cutter.isDiscarding();
        if (held != null && !holding && endsAlone) {
            hold(held, gap.audioUs());
        }
        if (held != null && holding) {
            repeatUntil(held, gap.audioUs() - 1);
        }
        release(Long.MAX_VALUE);
        cutter.finish();
        clear();
        cutter.clear();
    }

    /** There is no timeline. */
    void clear() {
        hasBoth = false;
        keyFrame = null;
        holding = false;
        waiting.clear();
        repeats.clear();
        gap.clear();
    }

    private void acceptFrame(AccessUnit frame) throws InterruptedException {
        gap.frame(frame.dtsUs());
        AccessUnit held = keyFrame;
        if (!holding || held == null) {
            cutter.accept(frame);
        } else if (frame.isKeyFrame()) {
            comeBack(held, frame);
        }
        if (frame.isKeyFrame()) {
            keyFrame = frame;
        }
    }

    private void acceptAudio(AccessUnit unit) throws InterruptedException {
        gap.audio(unit.dtsUs());
        AccessUnit held = keyFrame;
        if (holding && held != null) {
            waiting.add(unit);
            repeatUntil(held, unit.dtsUs() - waitUs);
            return;
        }
        cutter.accept(unit);
        if (gap.isOpen() && held != null && !cutter.isDiscarding()) {
            hold(held, unit.dtsUs());
        }
    }

    private void hold(AccessUnit held, long audioUs) throws InterruptedException {
        log.info("session={} frames have stopped: the newest key frame stands for them", session);
        holding = true;
        nextTicks =
                cutter.nextFrameTicks()
                        .orElse(held.track().timescale().fromUs(audioUs - gap.lengthUs()));
        long startUs = held.track().timescale().toUs(nextTicks);
        waitUs = Math.clamp(audioUs - startUs, 0, MAX_WAIT_US);
        cutter.startHold(repeats.of(held, nextTicks));
        repeated(held);
    }

    /** Publishes audio up to a time, with repeated frames beside it. */
    private void repeatUntil(AccessUnit held, long untilUs) throws InterruptedException {
        long nextUs = held.track().timescale().toUs(nextTicks);
        while (holding && untilUs >= nextUs) {
            release(nextUs);
            cutter.accept(repeats.of(held, nextTicks));
            repeated(held);
            nextUs = held.track().timescale().toUs(nextTicks);
        }
    }

    private void repeated(AccessUnit held) {
        newestTicks = nextTicks;
        nextTicks += held.track().timescale().fromUs(cutter.repeatUs());
        if (cutter.isDiscarding()) {
            // What was rejected is not shown again.
            cutter.dropUntilKeyFrame();
            cutter.endHold();
            holding = false;
            waiting.clear();
            repeats.clear();
        }
    }

    private void comeBack(AccessUnit held, AccessUnit first) throws InterruptedException {
        if (first.dtsTicks() <= newestTicks) {
            // The next key frame is as late: from now on audio waits for it.
            waitUs = gap.audioUs() - first.dtsUs() + MARGIN_US;
            return;
        }
        repeatUntil(held, first.dtsUs() - 1);
        release(first.dtsUs());
        cutter.accept(first);
        cutter.endHold();
        holding = false;
        log.info("session={} frames are back", session);
        release(Long.MAX_VALUE);
    }

    private void release(long untilUs) throws InterruptedException {
        while (!waiting.isEmpty() && waiting.getFirst().dtsUs() < untilUs) {
            cutter.accept(waiting.removeFirst());
        }
    }
}
