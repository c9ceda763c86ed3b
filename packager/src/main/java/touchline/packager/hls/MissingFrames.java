package touchline.packager.hls;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.Timeline;
import touchline.media.hub.VideoGap;

/**
 * Passes the units of timelines to the {@link PartCutter}. If the frames of a timeline stop while
 * its audio goes on, audio continues alone, behind a discontinuity, from the end of the last frame
 * on. The frames come back with a key frame, behind another one. Media time goes on through both.
 * The packager's thread.
 *
 * <p>Audio that goes on alone still waits for its frames, as long as they are away when it starts:
 * what is published does not pass the key frame that they come back with.
 *
 * <pre>
 * frames   |=========|                         |K========
 * audio    |=========+-------------------------+=========
 *           both      alone, some seconds late  both
 * </pre>
 */
final class MissingFrames {
    private static final Logger log = LoggerFactory.getLogger(MissingFrames.class);

    /** Audio waits no longer when it starts to go on alone. */
    private static final long MAX_WAIT_US = 5_000_000;

    /** Added to the wait when frames come back later than that. */
    private static final long MARGIN_US = 100_000;

    private final SessionId session;
    private final PartCutter cutter;
    private final VideoGap gap = new VideoGap();
    private final ArrayDeque<AccessUnit> waiting = new ArrayDeque<>();

    /** Has frames and audio; null if the current timeline has not. */
    private @Nullable Timeline both;

    private boolean alone;
    private long waitUs;

    MissingFrames(SessionId session, PartCutter cutter) {
        this.session = session;
        this.cutter = cutter;
    }

    void begin(Timeline started) {
        both = started.tracks().size() > 1 ? started : null;
        alone = false;
        waiting.clear();
        gap.clear();
        cutter.begin(started);
    }

    void accept(AccessUnit unit) throws InterruptedException {
        Timeline current = both;
        if (current == null) {
            cutter.accept(unit);
        } else if (unit.track().isVideo()) {
            acceptFrame(current, unit);
        } else {
            acceptAudio(current, unit);
        }
    }

    /** The timeline is over: publishes what waits. */
    void end() throws InterruptedException {
        release(Long.MAX_VALUE);
        cutter.finish();
        clear();
    }

    void clear() {
        both = null;
        alone = false;
        waiting.clear();
        cutter.clear();
    }

    private void acceptFrame(Timeline current, AccessUnit frame) throws InterruptedException {
        gap.frame(frame.dtsUs());
        if (!alone) {
            cutter.accept(frame);
        } else if (frame.isKeyFrame()) {
            comeBack(current, frame);
        }
    }

    private void acceptAudio(Timeline current, AccessUnit unit) throws InterruptedException {
        gap.audio(unit.dtsUs());
        if (alone) {
            waiting.add(unit);
            release(unit.dtsUs() - waitUs);
            return;
        }
        cutter.accept(unit);
        if (gap.isOpen() && !cutter.isDiscarding()) {
            goOnAlone(current, unit.dtsUs());
        }
    }

    private void goOnAlone(Timeline current, long audioUs) throws InterruptedException {
        List<AccessUnit> behind = cutter.finishFrames();
        if (cutter.isDiscarding()) {
            return;
        }
        alone = true;
        long fromUs = cutter.endUs();
        waitUs = Math.clamp(audioUs - fromUs, 0, MAX_WAIT_US);
        cutter.continueWith(
                new Timeline(
                        current.sequence(),
                        List.of(current.audio().orElseThrow()),
                        fromUs,
                        current.wallClock(fromUs)));
        waiting.addAll(behind);
        log.info("session={} frames have stopped: audio goes on alone", session);
        release(audioUs - waitUs);
    }

    private void comeBack(Timeline current, AccessUnit keyFrame) throws InterruptedException {
        long lateUs = cutter.endUs() - keyFrame.dtsUs();
        if (lateUs > 0) {
            // The next key frame is as late: from now on audio waits for it.
            waitUs += lateUs + MARGIN_US;
            return;
        }
        release(keyFrame.dtsUs());
        cutter.finishBefore(keyFrame.dtsUs());
        cutter.continueWith(current);
        alone = false;
        log.info("session={} frames are back", session);
        cutter.accept(keyFrame);
        while (!waiting.isEmpty()) {
            cutter.accept(waiting.removeFirst());
        }
    }

    /** Publishes waiting audio that starts before a time. */
    private void release(long untilUs) throws InterruptedException {
        while (!waiting.isEmpty() && waiting.getFirst().dtsUs() < untilUs) {
            cutter.accept(waiting.removeFirst());
        }
    }
}
