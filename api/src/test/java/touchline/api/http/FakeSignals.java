package touchline.api.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import touchline.api.signal.SignalControl;
import touchline.api.signal.SignalFeed;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.signal.SignalHistory;

/** Histories that a test fills. It records its calls. */
final class FakeSignals implements SignalControl {
    final Map<SessionId, SignalHistory> histories = new ConcurrentHashMap<>();
    final List<StreamId> changed = new CopyOnWriteArrayList<>();
    final SignalFeed feed = new SignalFeed();

    /** Runs behind the start of a stream of samples. */
    volatile Runnable onWatch = () -> {};

    @Override
    public void changed(StreamId stream) {
        changed.add(stream);
    }

    @Override
    public Optional<SignalHistory> history(SessionId session) {
        return Optional.ofNullable(histories.get(session));
    }

    @Override
    public Optional<SignalFeed.Watcher> watch(StreamId stream) {
        Optional<SignalFeed.Watcher> watcher = feed.watch(stream);
        onWatch.run();
        return watcher;
    }

    @Override
    public Optional<SignalFeed.Watcher> watchAll() {
        Optional<SignalFeed.Watcher> watcher = feed.watchAll();
        onWatch.run();
        return watcher;
    }
}
