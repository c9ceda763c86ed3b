package touchline.packager.delivery;

import java.util.function.Supplier;
import touchline.config.PlaybackConfig;

/** The limits of the configuration in force, made anew when that has changed. Any thread. */
final class LimitsInForce implements Supplier<DeliveryLimits> {
    private record Made(PlaybackConfig from, DeliveryLimits limits) {}

    private final Supplier<PlaybackConfig> config;

    /** Volatile: immutable, and two threads may make the same limits. */
    private volatile Made made;

    LimitsInForce(Supplier<PlaybackConfig> config) {
        this.config = config;
        this.made = make(config.get());
    }

    @Override
    public DeliveryLimits get() {
        PlaybackConfig now = config.get();
        Made known = made;
        if (!known.from().equals(now)) {
            known = make(now);
            made = known;
        }
        return known.limits();
    }

    private static Made make(PlaybackConfig config) {
        return new Made(config, DeliveryLimits.of(config));
    }
}
