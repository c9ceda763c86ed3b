package touchline.api.cluster;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Work that waits for another node. A hint: nodes also look for it by themselves. */
public enum WakeUp {
    /** Events for webhook endpoints. */
    DELIVERIES,
    /** Jobs that are due. */
    JOBS;

    /** Its name between nodes. */
    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Empty for one that only a newer version knows. */
    public static Optional<WakeUp> of(String wireName) {
        return Arrays.stream(values()).filter(it -> it.wireName().equals(wireName)).findFirst();
    }
}
