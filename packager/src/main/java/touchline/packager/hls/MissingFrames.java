package touchline.packager.hls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
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

    /** Frames that come back wait no longer for the audio before them. */
    private static final long MAX_LATE_US = 1_000_000;

    private final SessionId session;
    private final PartCutter cutter;
    private final VideoGap gap = new VideoGap();
    private final ArrayDeque<AccessUnit> waiting = new ArrayDeque<>();

    /** Frames from the key frame on that they come back with. */
    private final ArrayDeque<AccessUnit> returning = new ArrayDeque<>();

    /** Has frames and audio; null if the current timeline has not. */
    private @Nullable Timeline both;

    private boolean alone;
    private long waitUs;
    private long newestAudioUs;

    MissingFrames(SessionId session, PartCutter cutter) {
        this.session = session;
        this.cutter = cutter;
    }

    void begin(Timeline started) {
        both = started.tracks().size() > 1 ? started : null;
        alone = false;
        waiting.clear();
        returning.clear();
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
        Timeline current = both;
        if (current != null && !returning.isEmpty()) {
            comeBack(current);
        }
        release(Long.MAX_VALUE);
        cutter.finish();
        clear();
    }

    void clear() {
        both = null;
        alone = false;
        waiting.clear();
        returning.clear();
        cutter.clear();
    }

    private void acceptFrame(Timeline current, AccessUnit frame) throws InterruptedException {
        gap.frame(frame.dtsUs());
        if (!alone) {
            cutter.accept(frame);
            return;
        }
        if (!returning.isEmpty()) {
            returning.add(frame);
        } else if (frame.isKeyFrame()) {
            welcome(frame);
        }
        comeBackIfComplete(current);
    }

    /** Frames that come back wait for the audio before them, for a moment. */
    private void comeBackIfComplete(Timeline current) throws InterruptedException {
        if (!returning.isEmpty()) {
            long keyUs = returning.getFirst().dtsUs();
            if (newestAudioUs >= keyUs || returning.getLast().dtsUs() - keyUs > MAX_LATE_US) {
                comeBack(current);
            }
        }
    }

    private void acceptAudio(Timeline current, AccessUnit unit) throws InterruptedException {
        gap.audio(unit.dtsUs());
        newestAudioUs = unit.dtsUs();
        if (alone) {
            waiting.add(unit);
            release(unit.dtsUs() - waitUs);
            comeBackIfComplete(current);
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

    /** A key frame: the frames come back, unless audio has been published beyond it. */
    private void welcome(AccessUnit keyFrame) {
        long keyUs = keyFrame.dtsUs();
        if (cutter.endUs() > keyUs && !SampleQueue.isClose(cutter.endUs(), keyUs)) {
            // The next key frame is as late: from now on audio waits for it.
            waitUs = newestAudioUs - keyUs + MARGIN_US;
        } else {
            returning.add(keyFrame);
        }
    }

    private void comeBack(Timeline current) throws InterruptedException {
        long keyUs = returning.getFirst().dtsUs();
        release(keyUs);
        List<AccessUnit> rest = cutter.finishBefore(keyUs);
        cutter.continueWith(current);
        alone = false;
        log.info("session={} frames are back", session);
        waiting.addAll(returning);
        waiting.addAll(rest);
        returning.clear();
        List<AccessUnit> units = new ArrayList<>(waiting);
        waiting.clear();
        units.sort(Comparator.comparingLong(AccessUnit::dtsUs));
        for (AccessUnit unit : units) {
            cutter.accept(unit);
        }
    }

    /** Publishes waiting audio that starts before a time. */
    private void release(long untilUs) throws InterruptedException {
        while (!waiting.isEmpty() && waiting.getFirst().dtsUs() < untilUs) {
            cutter.accept(waiting.removeFirst());
        }
    }
}
