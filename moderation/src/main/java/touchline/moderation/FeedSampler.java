package touchline.moderation;

import java.util.ArrayList;
import java.util.List;
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
 * Takes frames out of a feed by a schedule and decodes only what they need: a key frame near the
 * due time alone, else the group of frames up to that time without those that no other needs. One
 * platform thread.
 */
final class FeedSampler implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FeedSampler.class);

    /** Coded frames that are kept until one of them is due; beyond it they are decoded early. */
    private static final long MAX_WAITING_BYTES = 8L << 20;

    private static final int MAX_WAITING = 1_800;

    private final SampleSchedule schedule;
    private final Outlet outlet;
    private final List<AccessUnit> waiting = new ArrayList<>();

    private @Nullable Timeline timeline;
    private @Nullable VideoDecoder decoder;
    private long waitingBytes;

    /** The decoder has been fed from the group's key frame on. */
    private boolean inGroup;

    private boolean needsKeyFrame = true;

    /** Where frames go, and what the policy says now. */
    interface Outlet {
        /** Takes ownership of the frame. */
        void sampled(VideoFrame frame, Timeline timeline);

        /** A stretch up to the next key frame could not be decoded. */
        void undecodable();

        /** Whether the last frame before a break is wanted, due or not. */
        boolean wantsLast();

        int intervalSeconds();
    }

    FeedSampler(SampleSchedule schedule, Outlet outlet) {
        this.schedule = schedule;
        this.outlet = outlet;
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

    /** Nothing follows for now. */
    void end() {
        if (outlet.wantsLast() && !needsKeyFrame) {
            takeLast();
        }
        forget();
        timeline = null;
    }

    private void begin(Timeline next) {
        Track before = timeline == null ? null : timeline.video().orElse(null);
        end();
        timeline = next;
        schedule.restartKeyFrames();
        if (before == null || !before.equals(next.video().orElse(null))) {
            closeDecoder();
        }
    }

    private void frame(AccessUnit unit) {
        boolean keyFrame = unit.isKeyFrame();
        if (!keyFrame && needsKeyFrame) {
            return;
        }
        schedule.interval(outlet.intervalSeconds());
        schedule.seen(unit.ptsUs(), keyFrame);
        if (keyFrame) {
            forget();
            needsKeyFrame = false;
            if (schedule.takesKeyFrame(unit.ptsUs())) {
                takeKeyFrame(unit);
            }
        }
        if (needsKeyFrame) {
            return;
        }
        waiting.add(unit);
        waitingBytes += unit.payload().byteSize();
        boolean due = schedule.isDue(unit.ptsUs()) && !schedule.awaitsKeyFrame(unit.ptsUs());
        if (due) {
            decodeWaiting();
        } else if (waitingBytes > MAX_WAITING_BYTES || waiting.size() > MAX_WAITING) {
            relieve();
        }
    }

    private void relieve() {
        if (schedule.keyFrameComesFirst() && !outlet.wantsLast()) {
            forget();
        } else {
            decodeWaiting();
        }
    }

    private void takeKeyFrame(AccessUnit unit) {
        Track track = unit.track();
        guarded(
                () -> {
                    VideoDecoder open = decoder(track);
                    open.flush();
                    open.skip(VideoDecoder.Skip.NOTHING);
                    List<VideoFrame> frames = new ArrayList<>(open.decode(unit));
                    frames.addAll(open.drain());
                    inGroup = false;
                    take(frames);
                });
    }

    /** Up to and with the first frame that is due; what remains waits on. */
    private void decodeWaiting() {
        guarded(
                () -> {
                    VideoDecoder open = enterGroup();
                    open.skip(VideoDecoder.Skip.NON_REFERENCE);
                    int used = 0;
                    boolean taken = false;
                    while (used < waiting.size() && !taken) {
                        List<VideoFrame> due = new ArrayList<>();
                        for (VideoFrame frame : open.decode(waiting.get(used++))) {
                            if (schedule.isDue(frame.ptsUs()) && due.isEmpty()) {
                                due.add(frame);
                            } else {
                                frame.close();
                            }
                        }
                        taken = !due.isEmpty();
                        take(due);
                    }
                    List<AccessUnit> decoded = waiting.subList(0, used);
                    decoded.forEach(unit -> waitingBytes -= unit.payload().byteSize());
                    decoded.clear();
                });
    }

    /** The last frame in presentation order, unless it was taken already. */
    private void takeLast() {
        guarded(
                () -> {
                    VideoDecoder open = enterGroup();
                    open.skip(VideoDecoder.Skip.NOTHING);
                    List<VideoFrame> last = new ArrayList<>();
                    for (AccessUnit unit : waiting) {
                        keepLater(last, open.decode(unit));
                    }
                    keepLater(last, open.drain());
                    if (!last.isEmpty() && last.getFirst().ptsUs() <= schedule.lastUs()) {
                        last.removeFirst().close();
                    }
                    take(last);
                });
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

    /** Hands the first one over and closes the others. */
    private void take(List<VideoFrame> frames) {
        Timeline current = timeline;
        for (int i = 0; i < frames.size(); i++) {
            VideoFrame frame = frames.get(i);
            if (i == 0 && current != null) {
                schedule.taken(frame.ptsUs());
                outlet.sampled(frame, current);
            } else {
                frame.close();
            }
        }
    }

    private VideoDecoder enterGroup() {
        AccessUnit first = waiting.isEmpty() ? null : waiting.getFirst();
        Timeline current = timeline;
        if (current == null) {
            throw new IllegalStateException("no timeline");
        }
        VideoDecoder open = decoder(current.video().orElseThrow());
        if (!inGroup && first != null) {
            open.flush();
            inGroup = true;
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

    /** A broken frame costs the rest of its group, nothing more. */
    private void guarded(Runnable decoding) {
        try {
            decoding.run();
        } catch (MalformedMediaException | FfmpegException e) {
            log.debug("undecodable up to the next key frame: {}", e.getMessage());
            giveUpGroup();
        } catch (RuntimeException e) {
            log.error("sampling failed, goes on with the next key frame", e);
            giveUpGroup();
        }
    }

    private void giveUpGroup() {
        outlet.undecodable();
        closeDecoder();
        forget();
    }

    private void forget() {
        waiting.clear();
        waitingBytes = 0;
        inGroup = false;
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
        forget();
        closeDecoder();
    }
}
