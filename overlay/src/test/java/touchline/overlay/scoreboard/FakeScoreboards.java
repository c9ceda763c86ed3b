package touchline.overlay.scoreboard;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A scoreboard that the test sets. */
final class FakeScoreboards implements ScoreboardSource {
    private final List<Consumer<String>> watchers = new CopyOnWriteArrayList<>();
    private final List<String> streams = new CopyOnWriteArrayList<>();
    private volatile String shown;

    FakeScoreboards(String shown) {
        this.shown = shown;
    }

    /** State for the page; a goal, if there is one, is scored now. */
    static String board(String homeColor, int homeScore, boolean goal) {
        return """
        {"visible": true, "period": "2nd half",
         "home": {"name": "Riverside", "short_name": "RIV", "color": "%s", "score": %d},
         "away": {"name": "Harbour City", "short_name": "HBC", "color": "#2b4aa8", "score": 1},
         "clock": {"running": true, "elapsed_ms": 3723000, "at_ms": %d},
         "goal": %s}
        """
                .formatted(
                        homeColor,
                        homeScore,
                        System.currentTimeMillis(),
                        goal
                                ? "{\"team\": \"home\", \"scorer\": \"9 Keller\", \"at_ms\": %d}"
                                        .formatted(System.currentTimeMillis())
                                : "null");
    }

    void show(String text) {
        shown = text;
        watchers.forEach(watcher -> watcher.accept(text));
    }

    /** Requested stream ids, in order. */
    List<String> streams() {
        return List.copyOf(streams);
    }

    int watchers() {
        return watchers.size();
    }

    @Override
    public Watch watch(String streamId, Consumer<String> listener) {
        streams.add(streamId);
        listener.accept(shown);
        watchers.add(listener);
        return () -> watchers.remove(listener);
    }
}
