package touchline.benchmarks.caches;

import java.util.concurrent.atomic.AtomicLong;

/** Requests and failures of the players of one loop. The loop writes, any thread reads. */
final class PlayerCounts {
    private final AtomicLong playlists = new AtomicLong();
    private final AtomicLong media = new AtomicLong();
    private final AtomicLong missingHints = new AtomicLong();
    private final AtomicLong reconnects = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    private volatile String failure = "";

    void playlistRequested() {
        playlists.incrementAndGet();
    }

    void mediaRequested() {
        media.incrementAndGet();
    }

    /** The server has answered that a hinted part will not come. */
    void hintMissing() {
        missingHints.incrementAndGet();
    }

    /** A kept connection was closed by the other side, and is opened again. */
    void reconnected() {
        reconnects.incrementAndGet();
    }

    /**
     * @param reason the newest one is shown
     */
    void failed(String reason) {
        failures.incrementAndGet();
        failure = reason;
    }

    long playlists() {
        return playlists.get();
    }

    /** Requests for parts and segments. */
    long media() {
        return media.get();
    }

    long missingHints() {
        return missingHints.get();
    }

    long reconnects() {
        return reconnects.get();
    }

    long failures() {
        return failures.get();
    }

    /** The reason of the last failure; empty if there was none. */
    String failure() {
        return failure;
    }
}
