package touchline.media.hub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;

/**
 * What viewers see of a session: its source passed on as it is, or what a compositor makes of it.
 * Readers of {@link #feed} stay subscribed when that changes: they find a new timeline, which is a
 * discontinuity, and media time that goes on rising. Timelines are numbered anew here.
 *
 * <p>Lock order: the source's lock, this one, the feed's. The compositor's calls ({@link
 * #takeOver}, {@link #offer}, {@link #giveBack}, {@link #end}) come from one thread at a time; only
 * one compositor works on a session.
 */
public final class ProgramSwitch {
    /** Who writes into the feed. {@code RETURNING}: the source, from its next key frame on. */
    private enum Writer {
        SOURCE,
        COMPOSITOR,
        RETURNING
    }

    /**
     * What had been passed on when a compositor took over.
     *
     * @param ptsUs latest presentation time of a frame; {@link Long#MIN_VALUE} where there was none
     * @param audioDtsUs latest time of audio; likewise
     */
    public record Passed(long ptsUs, long audioDtsUs) {
        /** Nothing has been passed on, or nobody has seen it. */
        public static final Passed NOTHING = new Passed(Long.MIN_VALUE, Long.MIN_VALUE);
    }

    private final Feed feed = new Feed();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Writer writer = Writer.SOURCE;

    @GuardedBy("lock")
    private @Nullable Timeline sourceTimeline;

    @GuardedBy("lock")
    private int nextSequence;

    @GuardedBy("lock")
    private long ptsUs = Long.MIN_VALUE;

    @GuardedBy("lock")
    private long dtsUs = Long.MIN_VALUE;

    @GuardedBy("lock")
    private long audioDtsUs = Long.MIN_VALUE;

    @GuardedBy("lock")
    private boolean sourceEnded;

    /** What viewers see, whoever writes it. */
    public Feed feed() {
        return feed;
    }

    /** From here on nothing of the source is passed on: only what the compositor offers. */
    public Passed takeOver() {
        lock.lock();
        try {
            writer = Writer.COMPOSITOR;
            return new Passed(ptsUs, audioDtsUs);
        } finally {
            lock.unlock();
        }
    }

    /** An item of the compositor; dropped unless it has taken over. A timeline gets its number. */
    public void offer(FeedItem item) {
        lock.lock();
        try {
            if (writer == Writer.COMPOSITOR) {
                write(item);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Wakes the readers after {@link #offer}. */
    public void flush() {
        feed.flush();
    }

    /**
     * The compositor has given up: the source is passed on again, from its next key frame on,
     * behind a discontinuity. Idempotent.
     */
    public void giveBack() {
        lock.lock();
        try {
            if (writer != Writer.COMPOSITOR) {
                return;
            }
            writer = Writer.RETURNING;
            if (sourceEnded) {
                feed.end();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The compositor has handed over everything, after the source's end. */
    public void end() {
        feed.end();
    }

    /** An item of the source; by the source's writer, under its lock. */
    void pass(FeedItem item) {
        lock.lock();
        try {
            switch (item) {
                case Timeline started -> sourceTimeline = started;
                case Interruption _ -> sourceTimeline = null;
                case AccessUnit _ -> {}
            }
            switch (writer) {
                case COMPOSITOR -> {}
                case SOURCE -> write(item);
                case RETURNING -> comeBack(item);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The source has ended; where a compositor works, it ends the feed when it is done. */
    void sourceEnded() {
        lock.lock();
        try {
            sourceEnded = true;
            if (writer != Writer.COMPOSITOR) {
                feed.end();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void comeBack(FeedItem item) {
        Timeline current = sourceTimeline;
        if (item instanceof AccessUnit unit) {
            if (current != null && opens(current, unit)) {
                writer = Writer.SOURCE;
                long startUs = unit.dtsUs();
                write(new Timeline(0, current.tracks(), startUs, current.wallClock(startUs)));
                write(unit);
            }
        } else {
            writer = Writer.SOURCE;
            write(item);
        }
    }

    /** Decoding can start with it, and its time lies behind all that has been written. */
    @GuardedBy("lock")
    private boolean opens(Timeline current, AccessUnit unit) {
        Optional<?> video = current.video();
        return (unit.isKeyFrame() || video.isEmpty()) && unit.dtsUs() > Math.max(dtsUs, audioDtsUs);
    }

    @GuardedBy("lock")
    private void write(FeedItem item) {
        switch (item) {
            case Timeline started -> {
                feed.offer(
                        new Timeline(
                                nextSequence,
                                started.tracks(),
                                started.startUs(),
                                started.startedAt()));
                nextSequence++;
            }
            case AccessUnit unit -> {
                if (unit.track().isVideo()) {
                    ptsUs = Math.max(ptsUs, unit.ptsUs());
                    dtsUs = Math.max(dtsUs, unit.dtsUs());
                } else {
                    audioDtsUs = Math.max(audioDtsUs, unit.dtsUs());
                }
                feed.offer(unit);
            }
            case Interruption gone -> feed.offer(gone);
        }
    }
}
