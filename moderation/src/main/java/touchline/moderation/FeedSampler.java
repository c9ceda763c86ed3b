package touchline.moderation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.codec.MalformedMediaException;
import touchline.media.decoding.DecodingFailedException;
import touchline.media.decoding.GopDecoder;
import touchline.media.ffmpeg.FfmpegException;
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
    private final Function<Track, GopDecoder> decoders;
    private final Receiver receiver;

    /** Access units since the key frame, or since the last one that was decoded. */
    private final List<AccessUnit> waiting = new ArrayList<>();

    private @Nullable Timeline timeline;
    private @Nullable GopDecoder decoder;
    private long waitingBytes;

    /** The decoder has received this GOP from its key frame on. */
    private boolean inGop;

    private boolean needsKeyFrame = true;

    /** Presentation time of the newest key frame. */
    private long gopStartUs;

    private long newestInGopUs;

    /** Start of the first GOP that cannot be decoded; empty while frames are decoded. */
    private OptionalLong undecodableFromUs = OptionalLong.empty();

    /** Why the newest attempt was refused; null if it was not. */
    private @Nullable DecodingRefusedException refusal;

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
        void blind(long ptsUs, Timeline timeline, Optional<DecodingRefusedException> refusal);

        /** The server refuses to decode this video. */
        void refused(DecodingRefusedException cause);

        /** Sampling failed unexpectedly; it continues with the next key frame. */
        void failed(Throwable error);

        /** Whether the last frame before a break is taken, due or not. */
        boolean takesLast();

        /** Longest media time between two samples. */
        long intervalUs();
    }

    /**
     * @param decoders opens a decoder, which the sampler closes
     */
    FeedSampler(SampleSchedule schedule, Function<Track, GopDecoder> decoders, Receiver receiver) {
        this.schedule = schedule;
        this.decoders = decoders;
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
            receiver.blind(ptsUs, current, Optional.ofNullable(refusal));
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
        GopDecoder open = decoder;
        if (inGop && open != null && schedule.isDue(newestInGopUs)) {
            guarded(() -> take(open.rest(wanted()), /* inAddition= */ false));
        }
    }

    private void takeKeyFrame(AccessUnit unit, boolean inAddition) {
        guarded(
                () -> {
                    inGop = false;
                    take(decoder(unit.track()).keyFrame(unit), inAddition);
                });
    }

    private boolean isDue(long ptsUs) {
        return schedule.isDue(ptsUs) && (ptsUs != gopStartUs || schedule.allowsKeyFrame());
    }

    /** Decodes up to the first frame that is due; later access units stay in the list. */
    private void decodeWaiting() {
        guarded(
                () -> {
                    GopDecoder.Found found = enterGop().first(waiting, wanted());
                    take(found.frame(), /* inAddition= */ false);
                    List<AccessUnit> decoded = waiting.subList(0, found.used());
                    decoded.forEach(unit -> waitingBytes -= unit.payload().byteSize());
                    decoded.clear();
                });
    }

    private GopDecoder.Wanted wanted() {
        OptionalLong except =
                schedule.allowsKeyFrame() ? OptionalLong.empty() : OptionalLong.of(gopStartUs);
        return new GopDecoder.Wanted(schedule.dueUs(), except);
    }

    /** Takes the last frame in presentation order, unless it was taken before. */
    private void takeLast() {
        guarded(
                () -> {
                    Optional<VideoFrame> last = enterGop().last(waiting);
                    if (last.isPresent() && last.get().ptsUs() <= schedule.lastUs()) {
                        last.get().close();
                        last = Optional.empty();
                    }
                    take(last, /* inAddition= */ false);
                });
    }

    /** Passes the frame on. */
    private void take(Optional<VideoFrame> taken, boolean inAddition) {
        Timeline current = timeline;
        if (taken.isEmpty()) {
            return;
        }
        VideoFrame frame = taken.get();
        if (current == null) {
            frame.close();
            return;
        }
        undecodableFromUs = OptionalLong.empty();
        refusal = null;
        blind = false;
        if (inAddition) {
            schedule.takenInAddition(frame.ptsUs());
        } else {
            schedule.taken(frame.ptsUs());
        }
        receiver.sampled(frame, current, /* opensGate= */ !inAddition);
    }

    private GopDecoder enterGop() {
        AccessUnit first = waiting.isEmpty() ? null : waiting.getFirst();
        Timeline current = timeline;
        if (current == null) {
            throw new IllegalStateException("no timeline");
        }
        GopDecoder open = decoder(current.video().orElseThrow());
        if (!inGop && first != null) {
            open.flush();
            inGop = true;
        }
        return open;
    }

    private GopDecoder decoder(Track track) {
        GopDecoder open = decoder;
        if (open == null) {
            open = decoders.apply(track);
            decoder = open;
        }
        return open;
    }

    /** A frame that cannot be decoded costs the rest of its GOP. */
    private void guarded(Runnable decoding) {
        try {
            decoding.run();
        } catch (MalformedMediaException | FfmpegException | DecodingFailedException e) {
            log.debug("undecodable up to the next key frame: {}", e.getMessage());
            refusal = e instanceof DecodingRefusedException refused ? refused : null;
            if (refusal != null) {
                receiver.refused(refusal);
            }
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
