package touchline.benchmarks.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import touchline.benchmarks.load.Arguments;

/** Which faults happen how often, and for how long. Immutable. */
final class FaultPlan {
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private final Duration freeze;
    private final Duration database;
    private final Duration cut;
    private final Duration wrongClock;
    private final Duration s3Stop;
    private final boolean s3;

    /**
     * Kills of an owner are the third argument, 10. Options are 0 by default: {@code --lost-disks}
     * of an owner that is killed, {@code --freezes}, {@code --stops}, {@code --drains} of an owner;
     * {@code --database-stops}, {@code --database-kills}, {@code --database-freezes}; {@code
     * --peer-cuts} of an owner and another node, {@code --database-cuts} and {@code --full-cuts} of
     * an owner from the database, and from all; {@code --clocks} of an owner put forward; {@code
     * --s3-stops}, and {@code --s3-stop-kills} with an owner killed meanwhile. Seconds: {@code
     * --freeze-s} 30, {@code --database-s} 60, {@code --cut-s} 45, {@code --clock-s} 30, {@code
     * --s3-s} 600. {@code --s3}: recordings are in S3, also without a fault that needs it.
     */
    FaultPlan(Arguments given) {
        counts.put(Fault.KILL, given.number(2, 10));
        counts.put(Fault.DISK_LOSS, given.option("--lost-disks", 0));
        counts.put(Fault.FREEZE, given.option("--freezes", 0));
        counts.put(Fault.STOP, given.option("--stops", 0));
        counts.put(Fault.DRAIN, given.option("--drains", 0));
        counts.put(Fault.DATABASE_STOP, given.option("--database-stops", 0));
        counts.put(Fault.DATABASE_KILL, given.option("--database-kills", 0));
        counts.put(Fault.DATABASE_FREEZE, given.option("--database-freezes", 0));
        counts.put(Fault.PEER_CUT, given.option("--peer-cuts", 0));
        counts.put(Fault.DATABASE_CUT, given.option("--database-cuts", 0));
        counts.put(Fault.FULL_CUT, given.option("--full-cuts", 0));
        counts.put(Fault.CLOCK, given.option("--clocks", 0));
        counts.put(Fault.S3_STOP, given.option("--s3-stops", 0));
        counts.put(Fault.S3_STOP_KILL, given.option("--s3-stop-kills", 0));
        cut = Duration.ofSeconds(given.option("--cut-s", 45));
        wrongClock = Duration.ofSeconds(given.option("--clock-s", 30));
        freeze = Duration.ofSeconds(given.option("--freeze-s", 30));
        database = Duration.ofSeconds(given.option("--database-s", 60));
        s3Stop = Duration.ofSeconds(given.option("--s3-s", 600));
        s3 = given.has("--s3") || count(Fault.DISK_LOSS) > 0 || anyOfS3();
        if (s3 && count(Fault.CLOCK) > 0) {
            throw new IllegalArgumentException(
                    "--clocks with --s3 (expected: one of them): what recordings lack is found by"
                            + " their dates");
        }
    }

    private boolean anyOfS3() {
        return counts.keySet().stream().anyMatch(it -> it.isOfS3() && count(it) > 0);
    }

    private int count(Fault fault) {
        return counts.getOrDefault(fault, 0);
    }

    Cluster.Means means() {
        return new Cluster.Means(
                counts.keySet().stream().anyMatch(it -> it.isPartition() && count(it) > 0),
                count(Fault.CLOCK) > 0,
                s3);
    }

    /** In random order. */
    List<Fault> shuffled(Random random) {
        List<Fault> plan = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            plan.addAll(Collections.nCopies(count(fault), fault));
        }
        Collections.shuffle(plan, random);
        return plan;
    }

    /** How long a fault lasts that is not over at once. */
    Duration time(Fault fault) {
        if (fault.isPartition()) {
            return cut;
        }
        if (fault.isOfS3()) {
            return s3Stop;
        }
        if (fault == Fault.CLOCK) {
            return wrongClock;
        }
        return fault.isOfDatabase() ? database : freeze;
    }
}
