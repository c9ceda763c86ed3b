package touchline.moderation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import touchline.media.SessionId;
import touchline.media.ffmpeg.VideoFrame;

/**
 * Frames that wait for analysis, bounded over all sessions and fair between them: each session has
 * its turn, and a full queue loses the oldest frame of the session that has most. Guarded by its
 * owner's lock.
 */
final class FrameQueue {
    private final int capacity;

    /** Sessions in the order of their turn; none without a frame. */
    private final Map<SessionId, Deque<Job>> waiting = new LinkedHashMap<>();

    private int size;

    /**
     * @param frame lent until the outcome is there
     * @param types what is looked for
     * @param queuedNs when it came
     */
    record Job(
            SessionId session,
            VideoFrame frame,
            Set<AlertType> types,
            long queuedNs,
            CompletableFuture<InferenceScheduler.Outcome> outcome) {}

    FrameQueue(int capacity) {
        this.capacity = capacity;
    }

    int size() {
        return size;
    }

    /** Adds a frame; the one that it pushes out, if any, is returned. */
    Optional<Job> add(Job job) {
        Optional<Job> lost = size == capacity ? Optional.of(pushOut()) : Optional.empty();
        waiting.computeIfAbsent(job.session(), _ -> new ArrayDeque<>()).add(job);
        size++;
        return lost;
    }

    /** One frame of each session in turn, until there are enough. */
    List<Job> take(int count) {
        List<Job> taken = new ArrayList<>();
        while (taken.size() < count && !waiting.isEmpty()) {
            Iterator<Map.Entry<SessionId, Deque<Job>>> turns = waiting.entrySet().iterator();
            Map.Entry<SessionId, Deque<Job>> turn = turns.next();
            Deque<Job> jobs = turn.getValue();
            turns.remove();
            Job job = jobs.removeFirst();
            taken.add(job);
            if (!jobs.isEmpty()) {
                // To the end of the line.
                waiting.put(job.session(), jobs);
            }
        }
        size -= taken.size();
        return taken;
    }

    /** When the frame came that has waited longest; empty where none waits. */
    Optional<Long> oldestNs() {
        Long oldest = null;
        for (Deque<Job> jobs : waiting.values()) {
            long ns = jobs.getFirst().queuedNs();
            oldest = oldest == null || ns - oldest < 0 ? Long.valueOf(ns) : oldest;
        }
        return Optional.ofNullable(oldest);
    }

    /** Takes out everything of a session. */
    List<Job> removeAll(SessionId session) {
        Deque<Job> jobs = waiting.remove(session);
        if (jobs == null) {
            return List.of();
        }
        size -= jobs.size();
        return List.copyOf(jobs);
    }

    /** Takes out everything. */
    List<Job> removeAll() {
        return take(size);
    }

    private Job pushOut() {
        Deque<Job> most = new ArrayDeque<>();
        for (Deque<Job> each : waiting.values()) {
            if (each.size() > most.size()) {
                most = each;
            }
        }
        Job oldest = most.removeFirst();
        size--;
        if (most.isEmpty()) {
            waiting.remove(oldest.session());
        }
        return oldest;
    }
}
