package touchline.packager.audience;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the players of a stream have reported in this minute. Event loops add times, the clock's
 * thread takes figures. Any thread.
 */
final class PlaybackQuality {
    private final LongAdder playedMs = new LongAdder();
    private final LongAdder stalledMs = new LongAdder();

    @GuardedBy("this")
    private final IntBag startupsMs = new IntBag();

    /** Of players that have left. */
    @GuardedBy("this")
    private final IntBag kbps = new IntBag();

    /**
     * Time between two requests for media.
     *
     * @param starved whether the buffer ran empty in it
     */
    void played(long ms, boolean starved) {
        playedMs.add(ms);
        if (starved) {
            stalledMs.add(ms);
        }
    }

    /** At most once for each session. */
    synchronized void started(int startupMs) {
        startupsMs.add(startupMs);
    }

    /** A player that reported this bitrate last has left. */
    synchronized void left(int lastKbps) {
        kbps.add(lastKbps);
    }

    /**
     * @param ofPlayers bitrates of those that have not left
     * @param isOver whether another minute begins
     */
    synchronized MinuteFigures figures(int[] ofPlayers, boolean isOver) {
        int[] started = startupsMs.with();
        int[] played = kbps.with(ofPlayers);
        if (!isOver) {
            return new MinuteFigures(playedMs.sum(), stalledMs.sum(), started, played);
        }
        startupsMs.clear();
        kbps.clear();
        return new MinuteFigures(
                playedMs.sumThenReset(), stalledMs.sumThenReset(), started, played);
    }
}
