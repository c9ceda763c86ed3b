package touchline.benchmarks.simulation;

import java.util.SplittableRandom;

/**
 * Links between nodes, and between nodes and the database, which has the index behind the last
 * node. A message over a cut link is lost; others take different times and so overtake each other.
 * Owned by the schedule's thread.
 */
final class Network {
    private static final int SLOW_ONE_IN = 64;

    private final VirtualTime time;
    private final SplittableRandom random;
    private final int[][] cuts;
    private final boolean sometimesSlow;

    Network(VirtualTime time, SplittableRandom random, int nodes, boolean sometimesSlow) {
        this.time = time;
        this.random = random;
        this.cuts = new int[nodes + 1][nodes + 1];
        this.sometimesSlow = sometimesSlow;
    }

    int databaseIndex() {
        return cuts.length - 1;
    }

    void cut(int from, int to) {
        cuts[from][to]++;
    }

    void mend(int from, int to) {
        cuts[from][to]--;
    }

    void send(int from, int to, Runnable arrival) {
        if (cuts[from][to] > 0) {
            return;
        }
        time.after(
                from == to ? 0 : delayMs(),
                () -> {
                    if (cuts[from][to] == 0) {
                        arrival.run();
                    }
                });
    }

    private long delayMs() {
        if (sometimesSlow && random.nextInt(SLOW_ONE_IN) == 0) {
            return random.nextInt(1_500);
        }
        return 1L + random.nextInt(12);
    }
}
