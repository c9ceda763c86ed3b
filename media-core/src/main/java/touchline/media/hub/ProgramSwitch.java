package touchline.media.hub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Timeline;

/**
 * What viewers get of a session: its source, or what a compositor makes of it. Until a compositor
 * takes over, {@link #feed} shares the source's items. From then on it has items of its own, whose
 * timelines are numbered here. Its readers stay subscribed: they get a new timeline, which is a
 * discontinuity, and media time goes on rising.
 *
 * <p>One lock guards source, feed and switch. The compositor's calls ({@link #takeOver}, {@link
 * #offer}, {@link #giveBack}, {@link #end}) come from one thread at a time; a session has one
 * compositor at most.
 */
public final class ProgramSwitch {
    /** Writer of the programme. {@code RETURNING}: the source, from its next key frame on. */
    private enum Writer {
        SOURCE,
        COMPOSITOR,
        RETURNING
    }

    /**
     * Latest times of the source that viewers got before a compositor took over.
     *
     * @param ptsUs latest presentation time of a frame; {@link Long#MIN_VALUE} without frames
     * @param audioDtsUs latest time of audio; {@link Long#MIN_VALUE} without audio
     */
    public record Passed(long ptsUs, long audioDtsUs) {
        /** No viewer got anything yet. */
        public static final Passed NOTHING = new Passed(Long.MIN_VALUE, Long.MIN_VALUE);
    }

    private final Feed source;

    private final Feed feed;

    /** The source's. */
    private final ReentrantLock lock;

    @GuardedBy("lock")
    private Writer writer = Writer.SOURCE;

    ProgramSwitch(Feed source) {
        this.source = source;
        this.lock = source.lock();
        this.feed = new Feed(source);
    }

    /** What viewers get. */
    public Feed feed() {
        return feed;
    }

    /** Whether a compositor writes it now. */
    boolean isComposited() {
        lock.lock();
        try {
            return writer == Writer.COMPOSITOR;
        } finally {
            lock.unlock();
        }
    }

    /** Whether viewers get the source's own media. */
    public boolean passesSource() {
        lock.lock();
        try {
            return writer == Writer.SOURCE;
        } finally {
            lock.unlock();
        }
    }

    /** From now on viewers get only what the compositor offers. */
    public Passed takeOver() {
        lock.lock();
        try {
            writer = Writer.COMPOSITOR;
            feed.separate(/* next= */ this);
            return feed.passed();
        } finally {
            lock.unlock();
        }
    }

    /** An item of the compositor; dropped unless it has taken over. Timelines get their number. */
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
     * The compositor has stopped. Viewers get the source again, from its next key frame on, behind
     * a discontinuity. Idempotent.
     */
    public void giveBack() {
        lock.lock();
        try {
            if (writer != Writer.COMPOSITOR) {
                return;
            }
            writer = Writer.RETURNING;
            if (source.isEnded()) {
                feed.end();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The compositor has offered everything after the source's end. */
    public void end() {
        lock.lock();
        try {
            feed.separate(/* next= */ this);
            feed.end();
        } finally {
            lock.unlock();
        }
    }

    /**
     * An item of the source, once a compositor has taken over; called under the source's lock.
     *
     * @param current the source's timeline, with this item
     */
    void pass(FeedItem item, @Nullable Timeline current) {
        lock.lock();
        try {
            switch (writer) {
                case COMPOSITOR -> {}
                case SOURCE -> write(item);
                case RETURNING -> comeBack(item, current);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The source has ended. A compositor ends the feed when it is done. */
    void sourceEnded() {
        lock.lock();
        try {
            if (writer != Writer.COMPOSITOR) {
                feed.end();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void comeBack(FeedItem item, @Nullable Timeline current) {
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

    /** Decoding can start with the unit, and its time lies behind everything written. */
    private boolean opens(Timeline current, AccessUnit unit) {
        return (unit.isKeyFrame() || current.video().isEmpty())
                && unit.dtsUs() > feed.newestDtsUs();
    }

    private void write(FeedItem item) {
        if (item instanceof Timeline started) {
            feed.offer(
                    new Timeline(
                            feed.timelines(),
                            started.tracks(),
                            started.startUs(),
                            started.startedAt()));
        } else {
            feed.offer(item);
        }
    }
}
