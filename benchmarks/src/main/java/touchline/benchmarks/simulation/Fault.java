package touchline.benchmarks.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One fault of a schedule.
 *
 * @param a a node, a side of a link, or a stream
 * @param b the other side of a link; the database is behind the last node
 */
record Fault(Kind kind, long atMs, long forMs, int a, int b) {
    /** What breaks. */
    enum Kind {
        /** SIGKILL of a node's process; it starts again at the end. */
        KILL,
        /** The host is lost: no connection is refused, none is reset. */
        LOSE_HOST,
        /** SIGSTOP: the node's clock goes on. */
        PAUSE,
        /** The machine freezes with its clock. */
        FREEZE,
        /** Nothing passes between a and b. */
        CUT,
        /** Nothing passes from a to b. */
        CUT_ONE_WAY,
        /** A node reaches neither the database nor another node. */
        ISOLATE,
        /** The database's process is killed; it loses nothing that was committed. */
        DATABASE_DOWN,
        /** SIGSTOP of the database: what it had received is executed at the end. */
        DATABASE_STOPPED,
        /** An encoder's connection breaks. */
        ENCODER_DROP,
        /** An encoder is away. */
        ENCODER_AWAY,
        /** A second encoder with the same key. */
        SECOND_ENCODER,
        /** A node is drained, later it takes streams again. */
        DRAIN
    }

    /** Which kinds of fault a schedule has; the bounds of the quiet ones are checked, too. */
    enum Family {
        KILLS_ONLY,
        DATABASE_ONLY,
        SHORT_PAUSES_ONLY,
        EVERYTHING
    }

    private static final int LONELY_ONE_IN = 16;

    /** Time in which faults begin. */
    static final long FAULTS_MS = 40_000;

    static Family family(long seed) {
        return switch ((int) Math.floorMod(seed, 10L)) {
            case 0 -> Family.KILLS_ONLY;
            case 1 -> Family.DATABASE_ONLY;
            case 2 -> Family.SHORT_PAUSES_ONLY;
            default -> Family.EVERYTHING;
        };
    }

    static List<Fault> plan(SplittableRandom random, Family family, int nodes, int streams) {
        List<Fault> all = new ArrayList<>();
        switch (family) {
            case KILLS_ONLY -> {
                long at = 6_000L + random.nextInt(3_000);
                while (at < FAULTS_MS) {
                    all.add(new Fault(Kind.KILL, at, 4_000, random.nextInt(nodes), 0));
                    at += 12_000 + random.nextInt(4_000);
                }
            }
            case DATABASE_ONLY -> {
                Kind kind = random.nextBoolean() ? Kind.DATABASE_DOWN : Kind.DATABASE_STOPPED;
                all.add(
                        new Fault(
                                kind,
                                8_000 + random.nextInt(5_000),
                                1_000 + random.nextInt(30_000),
                                0,
                                0));
            }
            case SHORT_PAUSES_ONLY -> {
                for (long at = 5_000; at < FAULTS_MS; at += 6_000 + random.nextInt(5_000)) {
                    all.add(
                            new Fault(
                                    Kind.PAUSE,
                                    at,
                                    500 + random.nextInt(2_500),
                                    random.nextInt(nodes),
                                    0));
                }
            }
            case EVERYTHING -> {
                if (random.nextInt(LONELY_ONE_IN) == 0) {
                    all.addAll(lonelyOwner(random, nodes, streams));
                }
                int count = 1 + random.nextInt(7);
                for (int i = 0; i < count; i++) {
                    all.add(any(random, nodes, streams));
                }
            }
        }
        all.sort(Comparator.comparingLong(Fault::atMs));
        return all;
    }

    /**
     * All other nodes are dead, and gone by the janitor's word, when the owner is cut off, so it
     * has no peer to ask; then they join again, unknown to it, and an encoder comes to one of them.
     */
    private static List<Fault> lonelyOwner(SplittableRandom random, int nodes, int streams) {
        List<Fault> all = new ArrayList<>();
        int owner = random.nextInt(nodes);
        long at = 8_000L + random.nextInt(3_000);
        for (int i = 0; i < nodes; i++) {
            if (i != owner) {
                all.add(new Fault(Kind.KILL, at, 13_000 + random.nextInt(6_000), i, 0));
            }
        }
        long isolatedAt = at + 11_500 + random.nextInt(2_000);
        all.add(new Fault(Kind.ISOLATE, isolatedAt, 25_000, owner, 0));
        all.add(
                new Fault(
                        Kind.SECOND_ENCODER,
                        isolatedAt + random.nextInt(8_000),
                        20_000,
                        random.nextInt(streams),
                        0));
        return all;
    }

    private static Fault any(SplittableRandom random, int nodes, int streams) {
        Kind[] kinds = Kind.values();
        Kind kind = kinds[random.nextInt(kinds.length)];
        long at = 3_000L + random.nextInt((int) FAULTS_MS - 3_000);
        long shortMs = 300L + random.nextInt(6_000);
        long longMs = 3_000L + random.nextInt(27_000);
        int a = random.nextInt(nodes);
        return switch (kind) {
            case CUT, CUT_ONE_WAY -> {
                int b = random.nextInt(nodes);
                long forMs = random.nextBoolean() ? shortMs : longMs;
                boolean back = random.nextBoolean();
                int other = b == a ? nodes : b;
                yield new Fault(kind, at, forMs, back ? other : a, back ? a : other);
            }
            case ENCODER_DROP, ENCODER_AWAY, SECOND_ENCODER ->
                    new Fault(kind, at, longMs, random.nextInt(streams), 0);
            case KILL, LOSE_HOST, PAUSE, FREEZE, ISOLATE, DATABASE_DOWN, DATABASE_STOPPED, DRAIN ->
                    new Fault(kind, at, random.nextBoolean() ? shortMs : longMs, a, 0);
        };
    }

    @Override
    public String toString() {
        return "%s a=%d b=%d at %d ms for %d ms".formatted(kind, a, b, atMs, forMs);
    }
}
