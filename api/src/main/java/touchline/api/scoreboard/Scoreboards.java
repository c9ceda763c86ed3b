package touchline.api.scoreboard;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import touchline.api.db.MarkerRepository;
import touchline.api.db.MarkerRepository.Owner;
import touchline.api.db.ScoreboardChangeRepository;
import touchline.api.db.ScoreboardJson;
import touchline.api.db.ScoreboardRepository;
import touchline.api.db.StreamRepository;
import touchline.api.sport.Scoreboard;
import touchline.api.sport.ScoreboardUndo;
import touchline.api.view.SportJson;
import touchline.media.StreamId;
import touchline.overlay.scoreboard.ScoreboardSource;

/** Contents of the bundled scoreboards, and the pages that show them. Any thread. */
public final class Scoreboards implements ScoreboardSource {
    private final Database database;
    private final StreamRepository streams;
    private final ScoreboardRepository repository;
    private final ScoreboardChangeRepository changes;
    private final MarkerRepository markers;

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
        this.changes = new ScoreboardChangeRepository(database);
        this.markers = new MarkerRepository(database);
    }

    /** Empty if the stream does not exist; each stream has a scoreboard. */
    public Optional<Scoreboard> find(StreamId stream) {
        return streams.exists(stream) ? Optional.of(shown(stream)) : Optional.empty();
    }

    /**
     * A stored change.
     *
     * @param changeId to undo it; empty if nothing differs
     */
    public record Changed(Scoreboard board, Optional<String> changeId) {}

    /** Marks a change in the running session. */
    @FunctionalInterface
    public interface Marking {
        /** Called in the transaction of the change. */
        Optional<ScoreboardChangeRepository.Mark> mark(Scoreboard before, Scoreboard after);
    }

    /**
     * Stores a change; {@link #publish} then shows it.
     *
     * @return the new content; empty if the stream does not exist
     */
    public Optional<Changed> change(
            StreamId stream, UnaryOperator<Scoreboard> change, Marking marking) {
        return database.transaction(
                () -> streams.findLocked(stream).map(_ -> changed(stream, change, marking)));
    }

    private Changed changed(StreamId stream, UnaryOperator<Scoreboard> change, Marking marking) {
        Scoreboard before = shown(stream);
        Scoreboard after = change.apply(before);
        if (after.showsAs(before)) {
            return new Changed(before, Optional.empty());
        }
        Scoreboard stored = after.withRevision(before.revision() + 1);
        repository.put(stream, stored);
        String id =
                changes.add(
                        stream,
                        new ScoreboardChangeRepository.Change(
                                before, stored, marking.mark(before, stored)));
        return new Changed(stored, Optional.of(id));
    }

    /** The outcome of {@link #undo}. */
    public sealed interface Undo {
        /** The stream has no such change, or it is undone or too old. */
        record NotFound() implements Undo {}

        /** A later change has changed the same part. */
        record Overtaken() implements Undo {}

        /** {@link #publish} then shows it. */
        record Undone(Scoreboard board) implements Undo {}
    }

    /**
     * Takes back a change, and its marker.
     *
     * @return empty if the stream does not exist
     */
    public Optional<Undo> undo(StreamId stream, String changeId) {
        return database.transaction(
                () -> streams.findLocked(stream).map(_ -> undone(stream, changeId)));
    }

    private Undo undone(StreamId stream, String changeId) {
        Optional<ScoreboardChangeRepository.Change> found = changes.find(stream, changeId);
        if (found.isEmpty()) {
            return new Undo.NotFound();
        }
        Scoreboard current = shown(stream);
        Optional<Scoreboard> board =
                ScoreboardUndo.undone(found.get().before(), found.get().after(), current);
        if (board.isEmpty()) {
            return new Undo.Overtaken();
        }
        Scoreboard stored = board.get().withRevision(current.revision() + 1);
        repository.put(stream, stored);
        changes.delete(stream, changeId);
        found.get()
                .mark()
                .ifPresent(mark -> markers.delete(Owner.of(mark.session()), mark.markerId()));
        return new Undo.Undone(stored);
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

    @Override
    public Optional<Image> image(String streamId, String imageId) {
        return repository
                .image(new StreamId(streamId), imageId)
                .map(file -> new Image(file.mediaType(), file.bytes()));
    }

    /** The content with the rules of its sport, which the page needs to draw it. */
    private String text(StreamId stream) {
        Scoreboard board = shown(stream);
        ObjectNode json = ScoreboardJson.write(board);
        json.set("rules", SportJson.of(board.sport()));
        return json.toString();
    }

    private Scoreboard shown(StreamId stream) {
        return repository.find(stream).orElse(Scoreboard.DEFAULT);
    }
}
