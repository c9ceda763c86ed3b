package touchline.api.db;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.api.db.SampledFrames.Appended;
import touchline.api.domain.SampledFrame;
import touchline.media.SessionId;

/** Where the next sampled frames of one audit run are stored. One thread at a time. */
public final class SampledRun {
    /** Rows are deleted as a whole, by the time of their first frame. */
    private static final Duration ROW_SPAN = Duration.ofHours(1);

    private int chunk = -1;
    private int framesInChunk;
    private @Nullable Instant firstAt;

    /**
     * What appends these frames. They count as stored from now on: the caller stores them before it
     * calls again.
     *
     * @param frames in the order of sampling
     */
    public List<Appended> rows(long taskId, SessionId session, List<SampledFrame> frames) {
        List<Appended> rows = new ArrayList<>();
        int from = 0;
        while (from < frames.size()) {
            Instant first = begun(frames.get(from));
            int to = from + 1;
            while (to < frames.size()
                    && framesInChunk + to - from < SampledFrames.FRAMES_PER_ROW
                    && isWithin(first, frames.get(to))) {
                to++;
            }
            List<SampledFrame> some = frames.subList(from, to);
            rows.add(new Appended(taskId, chunk, session, first, framesInChunk, some));
            framesInChunk += some.size();
            from = to;
        }
        return rows;
    }

    /** The time of the first frame of the row that takes this one. */
    private Instant begun(SampledFrame frame) {
        Instant first = firstAt;
        if (first == null
                || framesInChunk == SampledFrames.FRAMES_PER_ROW
                || !isWithin(first, frame)) {
            first = frame.at();
            firstAt = first;
            chunk++;
            framesInChunk = 0;
        }
        return first;
    }

    private static boolean isWithin(Instant first, SampledFrame frame) {
        return Duration.between(first, frame.at()).abs().compareTo(ROW_SPAN) < 0;
    }
}
