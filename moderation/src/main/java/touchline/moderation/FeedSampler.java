package touchline.moderation;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;

/**
 * Takes frames from a feed by a schedule, and decodes as little as possible. The GOP is decoded up
 * to the due time, up to there without its non-reference frames. From there on any frame may be
 * taken. A key frame alone is decoded alone. One platform thread.
 */
final class FeedSampler implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FeedSampler.class);

    /** Bound of the undecoded access units; beyond it they are decoded before one is due. */
    private static final long MAX_WAITING_BYTES = 8L << 20;

    private static final int MAX_WAITING = 1_800;

    private final SampleSchedule schedule;
    private final Receiver receiver;

    /** Access units since the key frame, or since the last one that was decoded. */
    private final List<AccessUnit> waiting = new ArrayList<>();

    private @Nullable Timeline timeline;
    private @Nullable VideoDecoder decoder;
    private long waitingBytes;

    /** The decoder has received this GOP from its key frame on. */
    private boolean inGop;

    private boolean needsKeyFrame = true;

    /** Presentation time of the newest key frame. */
    private long gopStartUs;

    private long newestInGopUs;

    /** Start of the first GOP that cannot be decoded; empty while frames are decoded. */
    private OptionalLong undecodableFromUs = OptionalLong.empty();

    private boolean blind;

    /** Receives the frames, and gives the policy in force. Called on the sampler's thread. */
    interface Receiver {
        /**
         * Takes ownership of the frame.
         *
         * @param opensGate false for an additional key frame: others may come before it
         */
        void sampled(VideoFrame frame, Timeline timeline, boolean opensGate);

        /** The rest of a GOP could not be decoded. */
        void undecodable();

        /** Nothing could be decoded for an interval. The next sampled frame ends this. */
        void blind(long ptsUs, Timeline timeline);

        /** Sampling failed unexpectedly; it continues with the next key frame. */
        void failed(Throwable error);

        /** Whether the last frame before a break is taken, due or not. */
        boolean takesLast();

        /** Longest media time between two samples. */
        long intervalUs();
    }

    FeedSampler(SampleSchedule schedule, Receiver receiver) {
        this.schedule = schedule;
        this.receiver = receiver;
    }

    void accept(FeedItem item) {
        switch (item) {
            case Timeline next -> begin(next);
            case Interruption _ -> end();
            case AccessUnit unit -> {
                if (unit.track().isVideo() && timeline != null) {
                    frame(unit);
                }
            }
        }
    }

    /** The feed has ended or is interrupted. */
    void end() {
        if (receiver.takesLast() && !needsKeyFrame) {
            takeLast();
        }
        discardGop();
        timeline = null;
    }

    private void begin(Timeline next) {
        Track before = timeline == null ? null : timeline.video().orElse(null);
        end();
        timeline = next;
        schedule.restartFrames();
        if (before == null || !before.equals(next.video().orElse(null))) {
            closeDecoder();
        }
    }

    private void frame(AccessUnit unit) {
        noteBlindness(unit.ptsUs());
        boolean keyFrame = unit.isKeyFrame();
        if (!keyFrame && needsKeyFrame) {
            schedule.passed(unit.ptsUs());
            return;
        }
        schedule.interval(receiver.intervalUs());
        schedule.seen(unit.ptsUs(), keyFrame);
        if (keyFrame) {
            takeDelayed();
            discardGop();
            needsKeyFrame = false;
            gopStartUs = unit.ptsUs();
            newestInGopUs = unit.ptsUs();
            if (isDue(unit.ptsUs())) {
                takeKeyFrame(unit, /* inAddition= */ false);
            } else if (schedule.takesInAddition(unit.ptsUs())) {
                takeKeyFrame(unit, /* inAddition= */ true);
            }
        }
        if (needsKeyFrame) {
            return;
        }
        newestInGopUs = Math.max(newestInGopUs, unit.ptsUs());
        waiting.add(unit);
        waitingBytes += unit.payload().byteSize();
        if (isDue(unit.ptsUs())) {
            decodeWaiting();
        } else if (waitingBytes > MAX_WAITING_BYTES || waiting.size() > MAX_WAITING) {
            boundWaiting();
        }
    }

    private void noteBlindness(long ptsUs) {
        Timeline current = timeline;
        if (!blind
                && current != null
                && undecodableFromUs.isPresent()
                && ptsUs - undecodableFromUs.getAsLong() > receiver.intervalUs()) {
            blind = true;
            receiver.blind(ptsUs, current);
        }
    }

    private void boundWaiting() {
        if (schedule.keyFrameComesFirst() && !receiver.takesLast()) {
            discardGop();
        } else {
            decodeWaiting();
        }
    }

    /** Takes a due frame at the end of a GOP that the decoder has not returned yet. */
    private void takeDelayed() {
        VideoDecoder open = decoder;
        if (inGop && open != null && schedule.isDue(newestInGopUs)) {
            guarded(
                    () -> {
                        List<VideoFrame> due = new ArrayList<>();
                        open.drain().forEach(frame -> keepFirstDue(due, frame));
                        take(due, /* inAddition= */ false);
                    });
        }
    }

    private void keepFirstDue(List<VideoFrame> due, VideoFrame frame) {
        if (due.isEmpty() && isDue(frame.ptsUs())) {
            due.add(frame);
        } else {
            frame.close();
        }
    }

    private void takeKeyFrame(AccessUnit unit, boolean inAddition) {
        Track track = unit.track();
        guarded(
                () -> {
                    VideoDecoder open = decoder(track);
                    open.flush();
                    open.skip(VideoDecoder.Skip.NOTHING);
                    List<VideoFrame> frames = new ArrayList<>(open.decode(unit));
                    closingOnFailure(frames, () -> frames.addAll(open.drain()));
                    inGop = false;
                    take(frames, inAddition);
                });
    }

    private boolean isDue(long ptsUs) {
        return schedule.isDue(ptsUs) && (ptsUs != gopStartUs || schedule.allowsKeyFrame());
    }

    /** Decodes up to the first frame that is due; later access units stay in the list. */
    private void decodeWaiting() {
        guarded(
                () -> {
                    VideoDecoder open = enterGop();
                    int used = 0;
                    boolean taken = false;
                    while (used < waiting.size() && !taken) {
                        AccessUnit unit = waiting.get(used++);
                        open.skip(
                                schedule.isDue(unit.ptsUs())
                                        ? VideoDecoder.Skip.NOTHING
                                        : VideoDecoder.Skip.NON_REFERENCE);
                        List<VideoFrame> due = new ArrayList<>();
                        open.decode(unit).forEach(frame -> keepFirstDue(due, frame));
                        taken = !due.isEmpty();
                        take(due, /* inAddition= */ false);
                    }
                    List<AccessUnit> decoded = waiting.subList(0, used);
                    decoded.forEach(unit -> waitingBytes -= unit.payload().byteSize());
                    decoded.clear();
                });
    }

    /** Takes the last frame in presentation order, unless it was taken before. */
    private void takeLast() {
        guarded(
                () -> {
                    VideoDecoder open = enterGop();
                    open.skip(VideoDecoder.Skip.NOTHING);
                    List<VideoFrame> last = new ArrayList<>();
                    closingOnFailure(
                            last,
                            () -> {
                                waiting.forEach(unit -> keepLater(last, open.decode(unit)));
                                keepLater(last, open.drain());
                            });
                    if (!last.isEmpty() && last.getFirst().ptsUs() <= schedule.lastUs()) {
                        last.removeFirst().close();
                    }
                    take(last, /* inAddition= */ false);
                });
    }

    private static void closingOnFailure(List<VideoFrame> frames, Runnable decoding) {
        try {
            decoding.run();
        } catch (RuntimeException e) {
            frames.forEach(VideoFrame::close);
            throw e;
        }
    }

    private static void keepLater(List<VideoFrame> last, List<VideoFrame> frames) {
        for (VideoFrame frame : frames) {
            if (last.isEmpty()) {
                last.add(frame);
            } else if (frame.ptsUs() > last.getFirst().ptsUs()) {
                last.set(0, frame).close();
            } else {
                frame.close();
            }
        }
    }

    /** Passes the first frame on, closes the others. */
    private void take(List<VideoFrame> frames, boolean inAddition) {
        Timeline current = timeline;
        int taken = current == null ? 0 : Math.min(1, frames.size());
        frames.subList(taken, frames.size()).forEach(VideoFrame::close);
        if (current != null && taken > 0) {
            VideoFrame frame = frames.getFirst();
            undecodableFromUs = OptionalLong.empty();
            blind = false;
            if (inAddition) {
                schedule.takenInAddition(frame.ptsUs());
            } else {
                schedule.taken(frame.ptsUs());
            }
            receiver.sampled(frame, current, /* opensGate= */ !inAddition);
        }
    }

    private VideoDecoder enterGop() {
        AccessUnit first = waiting.isEmpty() ? null : waiting.getFirst();
        Timeline current = timeline;
        if (current == null) {
            throw new IllegalStateException("no timeline");
        }
        VideoDecoder open = decoder(current.video().orElseThrow());
        if (!inGop && first != null) {
            open.flush();
            inGop = true;
        }
        return open;
    }

    private VideoDecoder decoder(Track track) {
        VideoDecoder open = decoder;
        if (open == null) {
            open = VideoDecoder.open(track, /* threads= */ 1);
            decoder = open;
        }
        return open;
    }

    /** A frame that cannot be decoded costs the rest of its GOP. */
    private void guarded(Runnable decoding) {
        try {
            decoding.run();
        } catch (MalformedMediaException | FfmpegException e) {
            log.debug("undecodable up to the next key frame: {}", e.getMessage());
            receiver.undecodable();
            if (undecodableFromUs.isEmpty()) {
                undecodableFromUs = OptionalLong.of(gopStartUs);
            }
            skipGop();
        } catch (RuntimeException | Error e) {
            receiver.failed(e);
            skipGop();
        }
    }

    private void skipGop() {
        closeDecoder();
        discardGop();
    }

    private void discardGop() {
        waiting.clear();
        waitingBytes = 0;
        inGop = false;
        needsKeyFrame = true;
    }

    private void closeDecoder() {
        if (decoder != null) {
            decoder.close();
            decoder = null;
        }
    }

    @Override
    public void close() {
        discardGop();
        closeDecoder();
    }
}
