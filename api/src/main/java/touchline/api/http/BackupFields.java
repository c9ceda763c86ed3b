package touchline.api.http;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import touchline.api.domain.BackupPush;
import touchline.media.hub.FailoverSettings;

/** Reads {@code backup}, {@code failover_after} and {@code failback_after} of a live stream. */
final class BackupFields {
    static final String KEY = "backup_stream_key";

    private BackupFields() {}

    /**
     * The requested change; absent fields change nothing. Apply it only if no problem was reported.
     *
     * @param newKey makes the push key of a stream that had no backup
     */
    static UnaryOperator<BackupPush> change(JsonFields body, Supplier<String> newKey) {
        FailoverSettings defaults = FailoverSettings.DEFAULTS;
        Optional<Boolean> on = body.orDefault("backup", false, body::flag);
        Optional<Duration> failover =
                body.orDefault(
                        "failover_after",
                        defaults.failoverAfter(),
                        it ->
                                seconds(
                                        body,
                                        it,
                                        FailoverSettings.MIN_FAILOVER,
                                        FailoverSettings.MAX_FAILOVER));
        Optional<Duration> failback =
                body.orDefault(
                        "failback_after",
                        defaults.failbackAfter(),
                        it -> seconds(body, it, Duration.ZERO, FailoverSettings.MAX_FAILBACK));
        return before -> {
            FailoverSettings settings =
                    new FailoverSettings(
                            failover.orElse(before.failover().failoverAfter()),
                            failback.orElse(before.failover().failbackAfter()));
            boolean isOn = on.orElse(before.isOn());
            Optional<String> key =
                    isOn
                            ? before.streamKey().or(() -> Optional.of(newKey.get()))
                            : Optional.empty();
            return new BackupPush(key, settings);
        };
    }

    private static Optional<Duration> seconds(
            JsonFields body, String name, Duration least, Duration most) {
        return body.number(name, least.toMillis() / 1e3, most.toMillis() / 1e3).stream()
                .mapToObj(seconds -> Duration.ofMillis(Math.round(seconds * 1_000)))
                .findFirst();
    }
}
