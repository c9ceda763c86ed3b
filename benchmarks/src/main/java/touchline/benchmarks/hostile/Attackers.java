package touchline.benchmarks.hostile;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;

/** Runs attacks on virtual threads, and counts how their attempts ended. */
final class Attackers implements AutoCloseable {
    /** Time over which the starts of an attack's threads are spread. */
    private static final Duration RAMP = Duration.ofSeconds(30);

    /** The threads that run virtual threads; the others of this process are platform threads. */
    private static final String CARRIERS = "ForkJoinPool";

    private final List<Thread> threads = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Seconds of each attempt, by attack and by its end. Guarded by the lock. */
    private final Map<String, Map<String, Samples>> seconds = new TreeMap<>();

    private volatile boolean stopped;

    private Attackers() {}

    static Attackers start(List<Attack> attacks) {
        Attackers all = new Attackers();
        for (Attack attack : attacks) {
            AtomicInteger attempts = new AtomicInteger();
            for (int i = 0; i < attack.threads(); i++) {
                Duration start = RAMP.multipliedBy(i).dividedBy(attack.threads());
                all.threads.add(
                        Thread.ofVirtual().start(() -> all.repeat(attack, start, attempts)));
            }
        }
        return all;
    }

    /**
     * Gives the attackers a lower priority than the server, the viewers and the probe, with which
     * they share the processors of this machine. Attackers elsewhere would not.
     */
    static void standBack() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("renice", "-n", "10", "-p"));
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                if (Files.readString(task.resolve("comm")).startsWith(CARRIERS)) {
                    command.add(task.getFileName().toString());
                }
            }
        }
        var _ = Command.run(command);
    }

    private void repeat(Attack attack, Duration start, AtomicInteger attempts) {
        try {
            Thread.sleep(start);
            while (!stopped) {
                long startNs = System.nanoTime();
                String end = once(attack, attempts.getAndIncrement());
                if (!stopped) {
                    count(attack.name(), end, (System.nanoTime() - startNs) / 1e9);
                }
                Thread.sleep(attack.pause());
            }
        } catch (InterruptedException _) {
            // The end of the run.
        }
    }

    private static String once(Attack attack, int index) throws InterruptedException {
        try {
            return attack.attempt().make(index);
        } catch (SocketTimeoutException _) {
            return "no reply";
        } catch (IOException e) {
            return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
    }

    private void count(String attack, String end, double tookSeconds) {
        lock.lock();
        try {
            seconds.computeIfAbsent(attack, _ -> new TreeMap<>())
                    .computeIfAbsent(end, _ -> new Samples())
                    .add(tookSeconds);
        } finally {
            lock.unlock();
        }
    }

    /** Ends all attempts; connections that are open are closed. */
    @Override
    public void close() {
        stopped = true;
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes one row for each end of each attack. Call it after {@link #close}. */
    void write(Report.Table table) {
        lock.lock();
        try {
            seconds.forEach(
                    (attack, ends) ->
                            ends.forEach(
                                    (end, took) ->
                                            table.row(
                                                    attack,
                                                    end,
                                                    took.count(),
                                                    took.median(),
                                                    took.max())));
        } finally {
            lock.unlock();
        }
    }
}
