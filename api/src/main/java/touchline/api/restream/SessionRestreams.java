package touchline.api.restream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import touchline.api.db.RestreamRepository;
import touchline.api.domain.RestreamStatus;
import touchline.media.StreamId;
import touchline.media.concurrent.LogContext;
import touchline.media.hub.Feed;
import touchline.media.hub.LiveStream;
import touchline.media.hub.PublishBarrier;

/**
 * The restreams of one session. They send its program; while its gate is shut, what has passed. Any
 * thread.
 */
public final class SessionRestreams implements AutoCloseable {
    /** For the last media of a session. */
    private static final Duration END = Duration.ofSeconds(3);

    private final LiveStream live;
    private final PublishBarrier gate;
    private final PassedMedia passed;
    private final Restreams all;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, RestreamRunner> runners = new HashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    SessionRestreams(LiveStream live, PublishBarrier gate, Restreams all) {
        this.live = live;
        this.gate = gate;
        this.passed = new PassedMedia(gate);
        this.all = all;
    }

    /** Receives what the session's packager publishes. */
    public PassedMedia passed() {
        return passed;
    }

    StreamId stream() {
        return live.stream();
    }

    private Feed media() {
        return gate.isShut() ? passed.feed() : live.program();
    }

    /** Applies the stored restreams: starts, restarts or ends connections. Blocks. */
    void follow() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            // Read under the lock: the last change wins.
            List<RestreamRepository.Target> wanted = all.repository().enabled(live.stream());
            runners.entrySet()
                    .removeIf(
                            each -> {
                                boolean stays =
                                        wanted.stream()
                                                .anyMatch(
                                                        target ->
                                                                isServed(
                                                                        target,
                                                                        each.getKey(),
                                                                        each.getValue()));
                                if (!stays) {
                                    each.getValue().close();
                                }
                                return !stays;
                            });
            wanted.forEach(this::start);
        } finally {
            lock.unlock();
        }
    }

    private static boolean isServed(
            RestreamRepository.Target target, String id, RestreamRunner runner) {
        return target.restream().id().equals(id) && runner.serves(target);
    }

    @GuardedBy("lock")
    private void start(RestreamRepository.Target target) {
        RestreamRunner running = runners.get(target.restream().id());
        if (running != null) {
            running.show(target.restream());
            return;
        }
        passed.use();
        RestreamRunner started = new RestreamRunner(target, this::media, all.dependencies());
        runners.put(target.restream().id(), started);
        started.start(live.session());
    }

    /** What a restream does; empty if it does not run. */
    Optional<RestreamStatus> status(String restream) {
        lock.lock();
        try {
            return Optional.ofNullable(runners.get(restream)).map(RestreamRunner::status);
        } finally {
            lock.unlock();
        }
    }

    /** What all of them do. */
    List<RestreamStatus> statuses() {
        lock.lock();
        try {
            return runners.values().stream().map(RestreamRunner::status).toList();
        } finally {
            lock.unlock();
        }
    }

    /** The session has ended. Targets get its last media for a short time, in the background. */
    @Override
    public void close() {
        all.closed(this);
        List<RestreamRunner> ending;
        lock.lock();
        try {
            closed = true;
            ending = new ArrayList<>(runners.values());
            runners.clear();
        } finally {
            lock.unlock();
        }
        if (!ending.isEmpty()) {
            Thread.ofVirtual()
                    .name("restreams-end-" + live.session())
                    .start(LogContext.carried(() -> end(ending)));
        }
    }

    private static void end(List<RestreamRunner> ending) {
        long deadlineNs = System.nanoTime() + END.toNanos();
        try {
            for (RestreamRunner each : ending) {
                boolean _ =
                        each.awaitEnd(
                                Duration.ofNanos(Math.max(1, deadlineNs - System.nanoTime())));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            ending.forEach(RestreamRunner::close);
        }
    }
}
