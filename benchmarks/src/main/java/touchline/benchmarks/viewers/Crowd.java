package touchline.benchmarks.viewers;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Players that join and leave, and how many of them are viewers. One thread. */
final class Crowd {
    static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(30);

    private final URI media;
    private final Deque<ScriptedPlayer> playing = new ArrayDeque<>();
    private final List<ScriptedPlayer> all = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(15);

    /**
     * @param media address of the media playlist
     */
    Crowd(URI media) {
        this.media = media;
    }

    /** So many more begin. */
    void join(int players) {
        ScriptedPlayer.Kind[] kinds = ScriptedPlayer.Kind.values();
        for (int i = 0; i < players; i++) {
            int number = threads.size();
            ScriptedPlayer player = new ScriptedPlayer(kinds[number % kinds.length], media, number);
            playing.add(player);
            all.add(player);
            threads.add(Thread.ofVirtual().start(player));
        }
    }

    /** So many end: any of them. */
    void leave(int players) {
        for (int i = 0; i < players && !playing.isEmpty(); i++) {
            for (int skip = random.nextInt(Math.min(50, playing.size())); skip > 0; skip--) {
                playing.add(playing.remove());
            }
            playing.remove().leave();
        }
    }

    int playing() {
        return playing.size();
    }

    /** Players that have asked for media within the last 30 s. */
    int viewers() {
        long sinceNs = System.nanoTime() - WINDOW_NS;
        int viewers = 0;
        for (ScriptedPlayer player : all) {
            viewers += player.askedSince(sinceNs) ? 1 : 0;
        }
        return viewers;
    }

    /** Players that lost their connection, or were refused. */
    int failures() {
        return (int) all.stream().filter(ScriptedPlayer::hasFailed).count();
    }

    /** All leave. */
    void end() throws InterruptedException {
        leave(playing.size());
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
