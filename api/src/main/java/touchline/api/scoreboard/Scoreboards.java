package touchline.api.scoreboard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import touchline.api.db.Database;
import touchline.api.db.ScoreboardRepository;
import touchline.api.db.StreamRepository;
import touchline.api.domain.Scoreboard;
import touchline.media.StreamId;
import touchline.overlay.scoreboard.ScoreboardSource;

/** Contents of the bundled scoreboards, and the pages that show them. Any thread. */
public final class Scoreboards implements ScoreboardSource {
    private final Database database;
    private final StreamRepository streams;
    private final ScoreboardRepository repository;

    /**
     * Held while the newest content is read and sent, so that no page receives an older one later.
     */
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, List<Consumer<String>>> watchers = new HashMap<>();

    public Scoreboards(Database database, StreamRepository streams) {
        this.database = database;
        this.streams = streams;
        this.repository = new ScoreboardRepository(database);
    }

    /** Empty if the stream does not exist; each stream has a scoreboard. */
    public Optional<Scoreboard> find(StreamId stream) {
        return streams.find(stream).map(_ -> shown(stream));
    }

    /**
     * Stores a change; {@link #publish} then shows it.
     *
     * @return the new content; empty if the stream does not exist
     */
    public Optional<Scoreboard> change(StreamId stream, UnaryOperator<Scoreboard> change) {
        return database.transaction(
                () ->
                        streams.findLocked(stream)
                                .map(
                                        _ -> {
                                            Scoreboard changed = change.apply(shown(stream));
                                            repository.put(stream, changed);
                                            return changed;
                                        }));
    }

    /** Sends the stored content to all open pages. */
    public void publish(StreamId stream) {
        lock.lock();
        try {
            List<Consumer<String>> all = watchers.getOrDefault(stream.value(), List.of());
            if (!all.isEmpty()) {
                String text = text(stream);
                all.forEach(watcher -> watcher.accept(text));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Watch watch(String streamId, Consumer<String> listener) {
        lock.lock();
        try {
            listener.accept(text(new StreamId(streamId)));
            watchers.computeIfAbsent(streamId, _ -> new ArrayList<>()).add(listener);
        } finally {
            lock.unlock();
        }
        return () -> unwatch(streamId, listener);
    }

    private void unwatch(String streamId, Consumer<String> listener) {
        lock.lock();
        try {
            List<Consumer<String>> all = watchers.getOrDefault(streamId, new ArrayList<>());
            all.remove(listener);
            if (all.isEmpty()) {
                watchers.remove(streamId);
            }
        } finally {
            lock.unlock();
        }
    }

    private String text(StreamId stream) {
        return ScoreboardRepository.json(shown(stream)).toString();
    }

    private Scoreboard shown(StreamId stream) {
        return repository.find(stream).orElse(Scoreboard.DEFAULT);
    }
}
