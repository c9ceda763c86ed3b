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
 * Frames that wait for analysis, bounded over all sessions. Sessions take turns. When the queue is
 * full, the session with most frames loses its oldest one. Guarded by the owner's lock.
 */
final class FrameQueue {
    private final int capacity;

    /** Sessions with at least one frame, in the order of their turn. */
    private final Map<SessionId, Deque<Job>> waiting = new LinkedHashMap<>();

    private int size;

    /**
     * One frame to analyse.
     *
     * @param frame borrowed until the outcome completes
     * @param types requested types
     * @param queuedNs time of arrival
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

    /** Adds a frame. Returns the frame that it replaces, if the queue was full. */
    Optional<Job> add(Job job) {
        Optional<Job> lost = size == capacity ? Optional.of(evict()) : Optional.empty();
        waiting.computeIfAbsent(job.session(), _ -> new ArrayDeque<>()).add(job);
        size++;
        return lost;
    }

    /** Removes up to {@code count} frames, one of each session in turn. */
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
                // The session's next turn comes after all others.
                waiting.put(job.session(), jobs);
            }
        }
        size -= taken.size();
        return taken;
    }

    /** Arrival of the oldest frame; empty when none waits. */
    Optional<Long> oldestNs() {
        Long oldest = null;
        for (Deque<Job> jobs : waiting.values()) {
            long ns = jobs.getFirst().queuedNs();
            oldest = oldest == null || ns - oldest < 0 ? Long.valueOf(ns) : oldest;
        }
        return Optional.ofNullable(oldest);
    }

    /** Removes the frames of a session. */
    List<Job> removeAll(SessionId session) {
        Deque<Job> jobs = waiting.remove(session);
        if (jobs == null) {
            return List.of();
        }
        size -= jobs.size();
        return List.copyOf(jobs);
    }

    /** Removes all frames. */
    List<Job> removeAll() {
        return take(size);
    }

    private Job evict() {
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
